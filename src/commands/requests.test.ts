import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runningDemo } from '../../test/fixtures/demo.ts'
import { commandLine } from '../../test/programs/command-line.ts'
import { startProgram } from '../../test/programs/program.ts'

test('prints refused requests and their reasons while the server runs', async () => {
  const { base, DATA_DIR } = await runningDemo()
  const ask = (path: string, token: string) =>
    fetch(`${base}${path}`, { headers: { authorization: `Bearer ${token}` } })
  await ask('/api/v4/leads', 'nobody')
  const tail = await startProgram('requests tail --status 4xx', { DATA_DIR })
  await expect.poll(() => tail.output()).toContain('401 GET /api/v4/leads')
  await ask('/api/v4/tasks?limit=5', 'nobody')
  await expect.poll(() => tail.output()).toContain('401 GET /api/v4/tasks?limit=5')
  expect(tail.output()).toContain('This server did not issue the access token')
  expect(await tail.stop('SIGINT')).toBe(0)
  const [, id = ''] = /^(\d+) \S+ 401 GET \/api\/v4\/tasks/m.exec(tail.output()) ?? []
  const command = (...words: string[]) => commandLine(['requests', ...words], { DATA_DIR })
  const { stdout } = await command('show', id)
  expect(stdout).toContain('401 GET /api/v4/tasks?limit=5')
  expect(stdout).toMatch(/Request\n(.*\n)* {2}authorization: Bearer \[access_token\]/)
  expect(stdout).toContain('"title":"Unauthorized"')
  expect((await command('show', 'x')).stderr).toContain('The id of a request is a number: x')
  expect((await command('show', '999000')).stderr).toContain('The log has no such request.')
  expect(await command('clear')).toMatchObject({ code: 0, stdout: 'The request log is empty.\n' })
  expect((await command('show', id)).code).toBe(1)
  const empty = await startProgram('requests tail --status 4xx', { DATA_DIR })
  await expect.poll(() => empty.output()).toContain('The log has none yet.')
  // As `| head` does.
  const ended = once(empty.child, 'exit')
  empty.child.stdout?.destroy()
  await ask('/api/v4/leads', 'nobody')
  expect([await ended, empty.output()]).toEqual([[141, null], expect.not.stringContaining('EPIPE')])
}, 180_000)

test('control characters of a request neither reach the terminal nor make other lines', async () => {
  const { base, demo, DATA_DIR } = await runningDemo()
  const headers = { authorization: `Bearer ${demo.tokens.access_token}`, 'content-type': 'application/json' }
  await fetch(`${base}/api/v4/leads?limit=1&a%0d%0a99%20forged%1b%5b2J=1`, { headers })
  await fetch(`${base}/api/v4/leads`, { method: 'POST', headers, body: '[{"name":"\u001b]0;title\u0007"}]' })
  const tail = await startProgram('requests tail --direction in', { DATA_DIR })
  await expect.poll(() => tail.output()).toContain('400 POST /api/v4/leads')
  expect(tail.output()).toContain('nothing reads: a\\u000d\\u000a99 forged\\u001b')
  await tail.stop('SIGINT')
  const [, id = ''] = /^(\d+) \S+ 400 POST \/api\/v4\/leads/m.exec(tail.output()) ?? []
  const { stdout } = await commandLine(['requests', 'show', id], { DATA_DIR })
  expect(stdout).toContain('[{"name":"\\u001b]0;title\\u0007"}]')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  expect(tail.output() + stdout).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/)
}, 180_000)

test.each([
  ['--status 6xx', '--status is neither a status nor a class such as 4xx: 6xx'],
  ['--direction up', '--direction is neither in nor out: up'],
  ['--account nobody', 'nobody'],
])('refuses %s', async (option, message) => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'patchbay-requests-'))
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true, force: true }))
  const env = { DATA_DIR, MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), LOG_LEVEL: 'silent' }
  for (const words of ['migrate', 'account create --subdomain acme --name Acme'])
    expect((await commandLine(words.split(' '), env)).code).toBe(0)
  const { code, stdout, stderr } = await commandLine(['requests', 'tail', ...option.split(' ')], env)
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(message)])
})
