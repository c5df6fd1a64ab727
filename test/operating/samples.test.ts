import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closeContext, openContext } from '../../src/commands/open.ts'
import { tables } from '../../src/db/tables.ts'
import { settings } from '../../src/setting-table.ts'
import { emptyDatabase } from '../databases/databases.ts'
import { register } from '../fixtures/integrations.ts'
import { makeCertificates } from '../programs/certificates.ts'
import { commandLine } from '../programs/command-line.ts'
import type { Outcome } from '../programs/program.ts'
import { temporaryFolder } from '../programs/temporary-folder.ts'
import { world } from '../world.ts'

const FOLDER = 'docs/operating'
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

/** Runs the script for backups to its end. */
const runBackup = (env: Record<string, string>): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(
      join(FOLDER, 'backup.sh'),
      { env: { PATH: process.env.PATH, ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })

describe('The files for operating', () => {
  test('are linked from the guide, and name settings that exist', () => {
    const pages = ['../operating.md', ...readdirSync(FOLDER).filter((name) => name.endsWith('.md'))]
    const linked = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path]) =>
        join(FOLDER, page, '..', String(path)),
      ),
    )
    const files = readdirSync(FOLDER).map((name) => join(FOLDER, name))
    expect(files.filter((file) => !linked.includes(file))).toEqual([])
    const variables = [...read('patchbay.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name)
    expect(variables.length).toBeGreaterThan(3)
    expect(variables.filter((name) => !(String(name) in settings))).toEqual([])
    expect(statSync(join(FOLDER, 'backup.sh')).mode & 0o111).toBe(0o111)
    expect(read('patchbay.cron')).toContain(` patchbay /opt/patchbay/${FOLDER}/backup.sh\n`)
  })

  test('write no address into a log of nginx, because it can contain a token', () => {
    const servers = read('nginx.conf')
      .split(/^server \{$/m)
      .slice(1)
    expect(servers).toHaveLength(2)
    for (const server of servers) {
      expect(server).toContain('\n    access_log off;\n')
      expect(server).toMatch(/^ {4}error_log \S+ crit;$/m)
    }
  })

  test('start the program as npm does, by the same Node, and let connections end before the server does', () => {
    const { scripts, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const [, command = ''] = /&& exec node (.*)/.exec(scripts.serve) ?? []
    expect(read('patchbay.service')).toContain(`/node_modules/.bin/node ${command}\n`)
    const image = readFileSync('Dockerfile', 'utf8')
    const words = ['ENTRYPOINT', 'CMD'].flatMap((name) =>
      JSON.parse(new RegExp(`^${name} (.*)$`, 'm').exec(image)?.[1] ?? '[]'),
    )
    expect(words.join(' ')).toBe(`node ${command}`)
    expect([...image.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)).toEqual(
      Array.from({ length: 2 }, () => `node:${devDependencies.node}-slim`),
    )
    const limit = Number(
      /keepAliveTimeout: (\w+)/.exec(readFileSync('src/http/framing.ts', 'utf8'))?.[1]?.replace('_', ''),
    )
    const kept = [
      /keepalive_timeout (\d+)s;/.exec(read('nginx.conf')),
      /keepalive (\d+)s/.exec(read('Caddyfile')),
    ]
    for (const seconds of kept) expect(Number(seconds?.[1]) * 1_000).toBeLessThan(limit)
  })

  test.each(['http', 'https'])('check the health of a container by %s', async (scheme) => {
    const [, command = ''] = /^HEALTHCHECK .*?CMD (.*)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? []
    const [program, ...words] = JSON.parse(command) as [string, ...string[]]
    expect(program).toBe('node')
    const { server: certificate } = makeCertificates(['hub.example.com'])
    let status = 200
    const answer: RequestListener = ({ url }, response) => {
      response.writeHead(url === '/healthz' ? status : 404).end()
    }
    const server = scheme === 'https' ? createHttps(certificate, answer) : createServer(answer)
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const PORT = String((server.address() as AddressInfo).port)
    const env = { PORT, ...(scheme === 'https' && { TLS_CERT: '/etc/patchbay/cert.pem' }) }
    const code = () =>
      new Promise((resolve) => {
        execFile(process.execPath, words, { env }, (error) => resolve(error ? error.code : 0))
      })
    expect(await code()).toBe(0)
    status = 503
    expect(await code()).toBe(1)
  })

  test('include a shell function that runs commands with the settings of a file alone', async () => {
    const [, text = ''] = /^```\n(patchbay\(\) \{\n[\s\S]*?\n\}\n)/m.exec(read('../operating.md')) ?? []
    const here = text.replace('sudo -u patchbay ', '').replace('/opt/patchbay', process.cwd())
    const { data_dir } = await emptyDatabase()
    const settings = join(data_dir, 'patchbay.env')
    writeFileSync(settings, `DATA_DIR='${data_dir}'\nDATABASE_URL=\nMASTER_KEY=${MASTER_KEY}\n`)
    const env = { PATH: process.env.PATH, PATCHBAY_ENV: settings, DATA_DIR: '/nowhere' }
    const printed = await new Promise((resolve) => {
      execFile('sh', ['-c', `${here}patchbay migrate`], { env }, (_error, stdout, stderr) =>
        resolve(stdout + stderr),
      )
    })
    expect(printed).toBe(`The database (${data_dir}) is up to date.\n`)
  })

  test('make a backup that the drill restores, and delete only old backups', async () => {
    const { admin, ctx, folder } = await world()
    const shop = await register(admin)
    const backups = temporaryFolder()
    const old = ['patchbay-20200101T000000Z.gz', 'another.gz'].map((name) => join(backups, name))
    const longAgo = Date.now() / 1_000 - 20 * 86_400
    for (const file of old) {
      writeFileSync(file, '')
      utimesSync(file, longAgo, longAgo)
    }
    const file = join(backups, 'patchbay.env')
    const env = {
      BACKUP_DIR: backups,
      PATCHBAY_HOME: process.cwd(),
      PATCHBAY_ENV: file,
    }
    const missing = await runBackup(env)
    expect([missing.code, missing.stdout]).toEqual([2, ''])
    expect(old.map((one) => existsSync(one))).toEqual([true, true])

    const place = `DATA_DIR='${folder}'\nDATABASE_URL='${ctx.config.database_url}'\n`
    writeFileSync(
      file,
      read('patchbay.env').replace(/^(DATA_DIR|DATABASE_URL|MASTER_KEY)=.*$/gm, '') +
        place +
        `MASTER_KEY=${MASTER_KEY}\n`,
    )
    const made = await runBackup(env)
    expect([made.code, made.stderr]).toEqual([0, ''])
    const [, backup = ''] = /^\d+ rows written to (.*\/patchbay-\d{8}T\d{6}Z\.gz)\n$/.exec(made.stdout) ?? []
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    expect(old.map((one) => existsSync(one))).toEqual([false, true])

    const drill = await emptyDatabase()
    const there = {
      DATA_DIR: drill.data_dir,
      DATABASE_URL: drill.database_url,
      MASTER_KEY,
      LOG_LEVEL: 'silent',
    }
    const restored = await commandLine(['restore', backup], there)
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    const copy = await openContext({ mode: 'serve', env: there, create: false })
    const row = await copy.db
      .selectFrom('integrations')
      .selectAll()
      .where('id', '=', shop.client_id)
      .executeTakeFirstOrThrow()
    expect(copy.vault.unseal(`integrations/secret/${row.id}`, row.secret_sealed)).toBe(shop.client_secret)
    for (const table of tables.filter((name) => name !== 'settings'))
      expect([table, await copy.db.selectFrom(table).selectAll().execute()]).toEqual([
        table,
        await ctx.db.selectFrom(table).selectAll().execute(),
      ])
    await closeContext(copy)
  })
})
