import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../test/databases/databases.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { placeWithDemo, runningDemo } from '../../test/fixtures/demo.ts'
import { commandLine } from '../../test/programs/command-line.ts'
import { newMasterKey, type Outcome, type Program, startProgram } from '../../test/programs/program.ts'
import { type Demo, prepareDemo } from './demo/demo.ts'
import { closeContext, openContext } from './open.ts'

/** The environment of a first start: a new folder, and a new database in a PostgreSQL run. */
async function fresh(): Promise<Record<string, string>> {
  const { database_url, data_dir } = await emptyDatabase()
  return { DATA_DIR: data_dir, DATABASE_URL: database_url }
}

/** The environment of a later start. */
async function filled(): Promise<Record<string, string>> {
  const { database_url, data_dir } = await placeWithDemo()
  const env = { DATA_DIR: data_dir, DATABASE_URL: database_url }
  if (database_url) await (await demoAt(env)).stop()
  return env
}

const demoAt = ({ DATA_DIR, DATABASE_URL = '' }: Record<string, string>) =>
  runningDemo({ DATABASE_URL }, DATA_DIR)

const demoIn = ({ DATA_DIR = '' }: Record<string, string>): Demo =>
  JSON.parse(readFileSync(join(DATA_DIR, 'demo.json'), 'utf8'))

/** The printed command, parsed like a shell does. */
async function pasted(program: Program): Promise<Response> {
  const [, url = '', header = ''] = /^curl (\S+) -H '([^']+)'$/m.exec(program.output()) ?? []
  const [name = '', value = ''] = header.split(': ')
  return fetch(url, { headers: { [name]: value } })
}

describe('patchbay dev (P4)', () => {
  test('is ready with one command: its printed and written data work', async () => {
    const parent = await fresh()
    const DATA_DIR = join(parent.DATA_DIR as string, 'made/here')
    const env = { ...parent, DATA_DIR, PORT: '0' }
    const program = await startProgram('dev', env)
    const demo = demoIn(env)
    const port = new URL(demo.base_url).port
    expect(port).not.toBe('')
    expect(demo).toEqual({
      base_url: `http://localhost:${port}`,
      account: {
        id: 1,
        subdomain: 'demo',
        url: `http://demo.localhost:${port}`,
        amojo_id: expect.stringMatching(/^[\da-f-]{36}$/),
      },
      user: { email: 'ada@demo.example', password: expect.stringMatching(/^\w{20}$/) },
      integration: {
        client_id: expect.stringMatching(/^[\da-f-]{36}$/),
        client_secret: expect.stringMatching(/^\w{64}$/),
        redirect_uri: 'http://localhost:3000/oauth/callback',
      },
      channel: {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        secret: expect.stringMatching(/^[\da-f]{80}$/),
        scope_id: `${demo.channel?.id}_${demo.account.amojo_id}`,
        bot_id: expect.stringMatching(/^[\da-f-]{36}$/),
      },
      channel_live: {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        secret: expect.stringMatching(/^[\da-f]{80}$/),
        scope_id: `${demo.channel_live?.id}_${demo.account.amojo_id}`,
        bot_id: expect.stringMatching(/^[\da-f-]{36}$/),
      },
      tokens: {
        access_token: expect.stringMatching(/^eyJ/),
        refresh_token: expect.stringMatching(/^pbr_[\w-]{43}$/),
      },
      test_helpers: { key: expect.stringMatching(/^pbh_[\w-]{43}$/) },
    })
    const printed = [
      demo.base_url,
      demo.account.url,
      demo.user,
      demo.integration,
      demo.channel ?? '',
      demo.channel_live ?? '',
      demo.tokens.access_token,
      join(DATA_DIR, 'demo.json'),
    ]
    for (const value of printed.flatMap((one) => (typeof one === 'string' ? one : Object.values(one))))
      expect(program.output()).toContain(value)

    // The folder and its content are accessible only to the owner.
    const written = ['.', ...readdirSync(DATA_DIR)]
    expect(written).toEqual(expect.arrayContaining(['demo.json', 'master.key']))
    expect(written.filter((name) => (statSync(join(DATA_DIR, name)).mode & 0o077) !== 0)).toEqual([])

    const first = await pasted(program)
    const account = (await first.json()) as { id: number; created_at: number; updated_at: number }
    expect([first.status, account.id]).toEqual([200, demo.account.id])
    expect(account.created_at).toBeLessThan(account.updated_at)
    const post = (path: string, body: unknown) =>
      fetch(`${demo.base_url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify(body),
      })
    expect((await post('/web/session', demo.user)).status).toBe(200)
    const { refresh_token } = demo.tokens
    const refreshed = await post('/oauth2/access_token', {
      ...demo.integration,
      grant_type: 'refresh_token',
      refresh_token,
    })
    expect(refreshed.status).toBe(200)

    // Read on the thread for long queries, which a build has in a file of its own.
    const { access_token } = (await refreshed.json()) as { access_token: string }
    const totals = await fetch(`${demo.base_url}/api/v4/leads/totals`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect([totals.status, await totals.json()]).toEqual([
      200,
      expect.objectContaining({ total: expect.any(Number) }),
    ])

    // Another server runs beside it, and neither knows the tokens of the other.
    const { demo: other } = await runningDemo()
    const status = async (base: string, token: string) =>
      (await fetch(`${base}/api/v4/account`, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await status(other.base_url, other.tokens.access_token)).toBe(200)
    expect(await status(demo.base_url, other.tokens.access_token)).toBe(401)
    expect(await status(other.base_url, access_token)).toBe(401)

    // A port in use gives one line, and exit code 1.
    expect(await commandLine(['dev'], { ...(await filled()), PORT: port })).toEqual({
      code: 1,
      stdout: '',
      stderr: `PORT ${port} of 127.0.0.1 is in use by another program.\n`,
    })
    // A second server with the same data would replace the addresses in demo.json.
    const before = demoIn(env)
    expect(await commandLine(['dev'], env)).toEqual({
      code: 1,
      stdout: '',
      stderr: `Another server is running with DATA_DIR ${DATA_DIR}. Stop it, or give this one a folder of its own.\n`,
    })
    expect(demoIn(env)).toEqual(before)
    expect(await program.stop()).toBe(0)
  })

  test('keeps the account, password, keys and tokens after a restart, at its new address', async () => {
    const env = await filled()
    const start = () => demoAt(env)
    const first = await start()
    const before = demoIn(env)
    await first.stop()

    const second = await startProgram('dev', env)
    const port = new URL(second.base).port
    const account = { ...before.account, url: `http://demo.localhost:${port}` }
    expect(demoIn(env)).toEqual({ ...before, base_url: `http://localhost:${port}`, account })
    const file = join(env.DATA_DIR as string, 'demo.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await pasted(second)).status).toBe(200)
    expect(await second.stop()).toBe(0)

    // Expired tokens are renewed, and channels missing in the data of an older version are added.
    const { channel, ...older } = before
    writeFileSync(file, JSON.stringify({ ...older, tokens: { access_token: 'x', refresh_token: 'y' } }))
    const third = await start()
    expect(demoIn(env).tokens.access_token).not.toBe('x')
    expect(demoIn(env).channel).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      secret: expect.stringMatching(/^[\da-f]{80}$/),
      scope_id: `${demoIn(env).channel?.id}_${before.account.amojo_id}`,
      bot_id: expect.stringMatching(/^[\da-f-]{36}$/),
    })
    expect(demoIn(env).channel?.id).not.toBe(channel?.id)
    const { base_url, tokens } = third.demo
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    expect((await fetch(`${base_url}/api/v4/account`, { headers })).status).toBe(200)
    await third.stop()

    // Without the file, the password is unknown, but the server still starts.
    rmSync(file)
    const fourth = await startProgram('dev', env)
    expect(fourth.output()).toContain(`Patchbay is ready: http://localhost:${new URL(fourth.base).port}\n`)
    expect(fourth.output()).toContain(`There is no ${file}, so the password`)
    expect((await fetch(`${fourth.base}/healthz`)).status).toBe(200)
  })

  test('the sign-in is known if the first start is interrupted while it makes the history', async () => {
    const env = await fresh()
    const ctx = await openContext({ mode: 'dev', env: { ...env, LOG_LEVEL: 'silent' }, create: true })
    onTestFinished(() => closeContext(ctx))
    ctx.files.put = async () => {
      throw new Error('interrupted')
    }
    await expect(prepareDemo(ctx)).rejects.toThrow('interrupted')
    const { user } = demoIn(env)
    expect(await prepareDemo(ctx)).toMatchObject({ user })
  })

  onEmbedded('data without its master key gets no other one', async () => {
    const env = await fresh()
    const folder = env.DATA_DIR as string
    await closeContext(await openContext({ mode: 'dev', env: { ...env, LOG_LEVEL: 'silent' }, create: true }))
    rmSync(join(folder, 'master.key'))
    expect(await commandLine(['dev'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no master key\. /),
    })
    expect(existsSync(join(folder, 'master.key'))).toBe(false)
  })

  test('invalid settings are reported in one line, with exit code 1', async () => {
    const env = await fresh()
    const folder = env.DATA_DIR as string
    mkdirSync(join(folder, 'rubbish'))
    const file = join(folder, 'rubbish/patchbay.db')
    writeFileSync(file, 'This is no database, and was never one.')
    const messages: [Record<string, string>, string | RegExp][] = [
      [{ PORT: 'x' }, 'PORT is not a port: x\n'],
      [{ HOST: '192.0.2.1' }, 'HOST 192.0.2.1 is not an address of this machine.\n'],
      [{ MASTER_KEY: 'short' }, 'MASTER_KEY does not contain 32 bytes in base64.\n'],
      [{ DATABASE_URL: 'postgres://127.0.0.1:1/x' }, 'DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1\n'],
      [
        { DATABASE_URL: '', DATA_DIR: join(folder, 'rubbish'), MASTER_KEY: newMasterKey() },
        'DATA_DIR: file is not a database\n',
      ],
      [
        { DATABASE_URL: '', DATA_DIR: file },
        /^DATA_DIR: .*patchbay\.db: (a file exists in its place|a part of the path is a file)\.\n$/,
      ],
    ]
    const outcomes: Outcome[] = []
    for (const [change] of messages) outcomes.push(await commandLine(['dev'], { ...env, ...change }))
    expect(outcomes).toEqual(
      messages.map(([change, stderr]) => ({
        code: 1,
        // An unusable address is detected last, when everything else is ready.
        stdout: change.HOST ? 'Creating the demo account …\n' : '',
        stderr: typeof stderr === 'string' ? stderr : expect.stringMatching(stderr),
      })),
    )
  })
})
