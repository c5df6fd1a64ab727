import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, kindOfRun } from '../../test/databases/databases.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { commandLine } from '../../test/programs/command-line.ts'
import { newMasterKey, type Outcome, startProgram } from '../../test/programs/program.ts'
import { freePort } from './ports.ts'

async function fresh() {
  const { database_url, data_dir } = await emptyDatabase()
  return { DATA_DIR: data_dir, DATABASE_URL: database_url, MASTER_KEY: newMasterKey() }
}

const BODY = '{"grant_type":"authorization_code"}'

/**
 * A token request that the server has begun to read, with half of its body sent. `finish` sends the rest and returns the
 * response.
 */
async function halfRequest(base: string) {
  const socket: Socket = connect(Number(new URL(base).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.write(
    `POST /oauth2/access_token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${BODY.length}\r\n\r\n`,
  )
  await expect.poll(() => answer).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  answer = ''
  socket.write(BODY.slice(0, 9))
  return {
    closed,
    finish: async () => {
      socket.write(BODY.slice(9))
      await closed
      return answer
    },
  }
}

describe('patchbay serve', () => {
  test('prints the setup link, logs JSON without secrets, and answers every accepted request before it exits', async () => {
    const env = await fresh()
    const program = await startProgram('serve', env)
    await expect.poll(() => program.output()).toMatch(/\/setup\?token=pbf_[\w-]{43}\n/)
    const port = new URL(program.base).port
    expect(program.output()).toContain(
      `Patchbay is listening on http://127.0.0.1:${port} as http://localhost:${port}\n`,
    )
    expect((await fetch(`${program.base}/healthz`)).status).toBe(200)
    await fetch(`${program.base}/nothing?code=verysecret`, {
      headers: { authorization: 'Bearer verysecret' },
    })
    await expect.poll(() => program.output()).toContain('"status":"404"')
    const logged = program
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    expect(logged.map((line) => JSON.parse(line).msg)).toContain('request')
    expect(program.output()).not.toContain('verysecret')
    expect(program.output()).not.toContain(env.MASTER_KEY)

    let answered = 0
    let isStopping = false
    const ask = async () => {
      for (;;) {
        try {
          const answer = await fetch(`${program.base}/api/v4/account`, { headers: { connection: 'close' } })
          const { type, status } = (await answer.json()) as { type: string; status: number }
          // A busy machine cannot start some of them.
          if (type.endsWith('#overloaded')) continue
          expect([answer.status, status]).toEqual([401, 401])
          answered++
        } catch (error) {
          // Some are not accepted any more. The log shows that no accepted one was cut off.
          if (isStopping && error instanceof TypeError) return
          throw error
        }
      }
    }
    const callers = Promise.all(Array.from({ length: 8 }, ask))
    await expect.poll(() => answered).toBeGreaterThan(50)
    isStopping = true
    expect(await program.stop('SIGTERM')).toBe(0)
    await callers
    const taken = () => program.output().match(/"route":"\/api\/v4\/account","status":"401"/g)?.length
    await expect.poll(taken).toBe(answered)
  })

  test('does not start with unsafe settings, and names them', async () => {
    const messages: [Record<string, string>, RegExp][] = [
      [
        { MASTER_KEY: '' },
        /^There is no master key\. Set MASTER_KEY to .* 32 random bytes in base64 .* to .*master\.key\.\n$/,
      ],
      [{ HOST: '0.0.0.0' }, /^PUBLIC_URL is not set, but HOST \(0\.0\.0\.0\) is not loopback\.\n$/],
      [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://crm.example' }, /^PUBLIC_URL is not https.*\n$/],
    ]
    const env = { ...(await fresh()), PORT: '0' }
    const outcomes: Outcome[] = []
    for (const [change] of messages) outcomes.push(await commandLine(['serve'], { ...env, ...change }))
    expect(outcomes).toEqual(
      messages.map(([, stderr]) => ({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) })),
    )
  })

  test.runIf(kindOfRun() === 'sqlite')(
    'warns of a master key that other users of the machine can read',
    async () => {
      const { MASTER_KEY, ...env } = await fresh()
      const file = join(env.DATA_DIR, 'master.key')
      writeFileSync(file, MASTER_KEY)
      const start = async (mode: number) => {
        chmodSync(file, mode)
        const program = await startProgram('serve', env)
        await program.stop()
        return program.output()
      }
      expect(await start(0o640)).toContain('other users of this machine can read the master key')
      expect(await start(0o600)).not.toContain('other users')
    },
  )

  test.runIf(kindOfRun() === 'sqlite')(
    'warns of another server with the same embedded database',
    async () => {
      const env = await fresh()
      const [first, second] = [await startProgram('serve', env), await startProgram('serve', env)]
      await expect.poll(() => second.output()).toContain('another server uses this embedded database')
      expect(first.output()).not.toContain('another server')
      // The lock ends with its program, also with a killed one.
      await first.stop('SIGKILL')
      await second.stop('SIGKILL')
      const third = await startProgram('serve', env)
      await third.stop()
      expect(third.output()).not.toContain('another server')
    },
  )

  onEmbedded('prints the address of all interfaces as such', async () => {
    const open = { HOST: '0.0.0.0', PUBLIC_URL: 'https://hub.example' }
    const program = await startProgram('serve', { ...(await fresh()), ...open })
    const { port } = new URL(program.base)
    expect(program.output()).toContain(`listening on http://0.0.0.0:${port} as https://hub.example\n`)
  })

  test('does not start with another master key, and writes nothing', async () => {
    const env = await fresh()
    expect((await commandLine(['migrate'], env)).code).toBe(0)
    expect(await commandLine(['serve'], { ...env, PORT: '0', MASTER_KEY: newMasterKey() })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The master key is not the one with which this data was encrypted.\n',
    })
    expect((await commandLine(['migrate'], env)).code).toBe(0)
  })

  onEmbedded(
    'on a stop signal it is not ready at once, completes started requests, and exits with 0',
    async () => {
      const METRICS_LISTEN = `127.0.0.1:${await freePort()}`
      const program = await startProgram('serve', { ...(await fresh()), METRICS_LISTEN })
      const readiness = () => fetch(`http://${METRICS_LISTEN}/readyz`)
      expect((await readiness()).status).toBe(200)
      const taken = { ...(await fresh()), PORT: '0', METRICS_LISTEN }
      expect(await commandLine(['serve'], taken)).toMatchObject({
        code: 1,
        stderr: `METRICS_LISTEN ${METRICS_LISTEN} is in use by another program.\n`,
      })
      const open = await halfRequest(program.base)
      const begun = performance.now()
      const ended = program.stop('SIGTERM')
      await expect.poll(async () => (await readiness()).status).toBe(503)
      expect(await (await readiness()).json()).toEqual({ status: 'draining' })
      await sleep(1_200)
      expect(await open.finish()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"error":"invalid_request"/)
      expect(await ended).toBe(0)
      // After ten seconds, the request would be cut off.
      expect(performance.now() - begun).toBeLessThan(9_500)
    },
  )

  onEmbedded(
    'stops in the same way when its terminal closes, which sends the signal more than once',
    async () => {
      for (const WORKERS of ['1', '2']) {
        const program = await startProgram('serve', { ...(await fresh()), WORKERS })
        const open = await halfRequest(program.base)
        program.child.kill('SIGHUP')
        await sleep(200)
        const ended = program.stop('SIGHUP')
        await sleep(200)
        expect(await open.finish()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
        expect(await ended).toBe(0)
      }
    },
  )

  onEmbedded('exits immediately on a second signal', async () => {
    const program = await startProgram('serve', await fresh())
    await halfRequest(program.base)
    program.child.kill('SIGTERM')
    await sleep(200)
    const begun = performance.now()
    expect(await program.stop('SIGINT')).toBe(1)
    // The request would have ten seconds.
    expect(performance.now() - begun).toBeLessThan(8_000)
  })

  test.runIf(kindOfRun() === 'sqlite').for([
    {
      how: 'removed',
      change: (folder: string) => rmSync(folder, { recursive: true }),
    },
    {
      how: 'replaced',
      change: (folder: string) => {
        const file = join(folder, 'patchbay.db')
        copyFileSync(file, `${file}.copy`)
        renameSync(`${file}.copy`, file)
      },
    },
  ])('ends when the file of its database is $how', async ({ how, change }) => {
    for (const WORKERS of ['1', '2']) {
      const env = await fresh()
      const program = await startProgram('serve', { ...env, WORKERS })
      const ended = once(program.child, 'exit')
      change(env.DATA_DIR)
      expect(await ended).toEqual([70, null])
      expect(program.output()).toContain(`the database file was ${how} while the program used it`)
    }
  })

  // Writes to this device fail like writes to a full disk.
  test.runIf(process.env.TEST_DATABASE === 'sqlite' && existsSync('/dev/full'))(
    'answers while its log cannot be written, and still stops with 0',
    async () => {
      const [port, full] = [await freePort(), openSync('/dev/full', 'w')]
      const child = spawn(process.execPath, ['dist/server/main.js', 'serve'], {
        env: { PATH: process.env.PATH, ...(await fresh()), PORT: String(port), METRICS_LISTEN: 'off' },
        stdio: ['ignore', full, 'inherit'],
      })
      closeSync(full)
      onTestFinished(() => void child.kill('SIGKILL'))
      const ended = once(child, 'exit')
      const ask = () => fetch(`http://127.0.0.1:${port}/nothing`).then(({ status }) => status)
      await expect.poll(() => ask().catch(() => 0)).toBe(404)
      for (let i = 0; i < 20; i++) expect(await ask()).toBe(404)
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    },
  )

  // Waits eleven seconds, which does not depend on the database.
  test.runIf(process.env.TEST_DATABASE === 'sqlite')(
    'cuts off open connections after ten seconds, and still exits with 0',
    async () => {
      const program = await startProgram('serve', await fresh())
      const open = await halfRequest(program.base)
      const begun = performance.now()
      expect(await program.stop('SIGTERM')).toBe(0)
      const seconds = (performance.now() - begun) / 1000
      expect(seconds).toBeGreaterThan(9)
      expect(seconds).toBeLessThan(25)
      await open.closed
    },
  )
})
