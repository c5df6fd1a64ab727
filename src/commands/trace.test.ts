import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runningDemo } from '../../test/fixtures/demo.ts'
import { commandLine } from '../../test/programs/command-line.ts'

const ENV = { LOG_LEVEL: 'silent' }

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'patchbay-trace-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

test('prints what a request caused while the server runs', async () => {
  const { base, demo, DATA_DIR } = await runningDemo()
  const answer = await fetch(`${base}/api/v4/leads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demo.tokens.access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify([{ name: 'Lead' }]),
  })
  const id = answer.headers.get('x-request-id') ?? ''
  const [lead] = ((await answer.json()) as { _embedded: { leads: { id: number }[] } })._embedded.leads
  // The log writes the row within a tenth of a second.
  await expect
    .poll(async () => (await commandLine(['trace', id], { ...ENV, DATA_DIR })).stdout)
    .toMatch(/^\S+Z request leads\.create POST \/api\/v4\/leads 200 \d+ ms$/m)
  const { code, stdout } = await commandLine(['trace', id], { ...ENV, DATA_DIR })
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^  \\+\\d+ event \\w{26} lead_added lead ${lead?.id}$`, 'm'))
  const json = await commandLine(['trace', id, '--json'], { ...ENV, DATA_DIR })
  expect(JSON.parse(json.stdout)).toMatchObject({ request_id: id, is_logged: true, is_cut: false })
}, 120_000)

test('says that there is no such trace, and what it needs', async () => {
  const DATA_DIR = folder()
  const env = { ...ENV, DATA_DIR, MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }
  for (const words of ['migrate', 'account create --subdomain acme --name Acme'])
    expect((await commandLine(words.split(' '), env)).code).toBe(0)
  const unknown = await commandLine(['trace', '019ca945-0a00-7bee-9734-8c2b740c58e6'], env)
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('There is no trace with this id'),
  ])
  expect((await commandLine(['trace'], env)).code).toBe(2)
})
