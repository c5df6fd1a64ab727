import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { answering, type Hit } from '../../test/fixtures/deliveries.ts'
import { placeWithDemo, runningDemo } from '../../test/fixtures/demo.ts'
import { itemsOf, subjectOf } from '../../test/fixtures/webhooks.ts'
import { commandLine } from '../../test/programs/command-line.ts'
import { lineTo } from '../../test/programs/cut-line.ts'
import { startProgram } from '../../test/programs/program.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'patchbay-listen-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** A server of two processes with the demo account in its own folder. */
async function server() {
  const { data_dir: DATA_DIR } = await placeWithDemo()
  const { base } = await startProgram('dev', { DATA_DIR, WORKERS: '2' })
  const demo = JSON.parse(readFileSync(join(DATA_DIR, 'demo.json'), 'utf8'))
  const ask = async (method: string, path: string, body: object): Promise<number> => {
    const answer = await fetch(`${base}/api/v4/${path}`, {
      method,
      headers: { authorization: `Bearer ${demo.tokens.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return answer.status
  }
  return { base, demo, ask }
}

const namesIn = (hits: readonly Hit[]) => hits.flatMap((hit) => itemsOf(hit).map(({ name }) => name))

test('forwards from two processes on another machine, and loses nothing when the line breaks ten times', async () => {
  const { base, demo, ask } = await server()
  const line = await lineTo(base)
  const hook = await answering()
  const token = demo.tokens.access_token
  const url = line.url.replace(/\/$/, '')
  const words = `--url ${url} --token ${token} --events add_lead --forward-to ${hook.url}/hook`
  const listening = await startProgram(`listen ${words}`, { DATA_DIR: folder() })
  const [secret = ''] = /whsec_\S+/.exec(listening.output()) ?? []
  const names = Array.from({ length: 60 }, (_, i) => `Lead ${i}`)
  let breaks = 0
  for (const [i, name] of names.entries()) {
    expect(await ask('POST', 'leads', [{ name }])).toBe(200)
    await sleep(Math.random() * 60)
    if (i % 6 === 3) {
      line.breakOff()
      breaks++
    }
  }
  expect(breaks).toBe(10)
  await expect.poll(() => hook.hits.length).toBeGreaterThanOrEqual(names.length)
  expect(namesIn(hook.hits)).toEqual(names)
  for (const { headers, body, path } of hook.hits) {
    expect([path, headers['x-signature']]).toEqual([
      '/hook',
      createHmac('sha256', secret).update(body).digest('hex'),
    ])
  }
  expect(await listening.stop('SIGINT')).toBe(0)
  expect(listening.output()).toMatch(/POST leads\[add\] {2}200 {2}\d+ ms/)
}, 120_000)

test('on this machine, the demo is known: actions are triggered, and what they send is forwarded', async () => {
  const { base, DATA_DIR } = await runningDemo()
  const hook = await answering((_, n) => (n === 1 ? 503 : 200))
  const listening = await startProgram(`listen --forward-to ${hook.url}/hook?secret=x`, { DATA_DIR })
  const lead = await commandLine(['trigger', 'add_lead', '--set', 'name=Roof = new'], { DATA_DIR })
  expect([lead.code, lead.stderr]).toEqual([0, ''])
  expect(lead.stdout).toMatch(
    /^200 POST {3}\/api\/v4\/leads {3}\S+\nmade {7}lead \d+\nevent {6}lead_added of lead/,
  )
  expect(lead.stdout).toMatch(/delivery {3}leads\[add\]/)
  await expect.poll(() => namesIn(hook.hits)).toEqual(['Roof = new'])
  const disabled = await commandLine(['trigger', 'disable_hook'], { DATA_DIR })
  expect(disabled.code).toBe(0)
  await expect.poll(() => hook.hits).toHaveLength(2)
  expect(hook.hits[0]?.path).toBe('/hook?secret=x')
  expect(hook.hits[1]?.path).toMatch(/^\/hook\?secret=x&account_id=\d+&client_id=.*&signature=[0-9a-f]{64}$/)
  expect(subjectOf(hook.hits[0] as Hit)).toBe('leads[add]')
  await expect.poll(() => listening.output()).toMatch(/POST leads\[add\] {2}503 /)
  const list = await commandLine(['trigger', '--list'], { DATA_DIR })
  expect(list.stdout).toMatch(/^status_lead +Moves a lead to another stage\.\n +lead {2}status_id$/m)
  const refusals: [words: string[], message: string][] = [
    [['add_leads'], 'There is no type "add_leads".'],
    [['add_lead', '--set', 'prices=5'], 'The action has no such member. It has: name, price.'],
    [['add_lead', '--set', 'price=much'], 'This value should be a number, not "much".'],
    [['add_lead', '--as', 'nobody@example.com'], 'nobody@example.com'],
  ]
  for (const [words, message] of refusals) {
    const { code, stderr } = await commandLine(['trigger', ...words], { DATA_DIR })
    expect([words, code, stderr]).toEqual([words, 1, expect.stringContaining(message)])
  }
  const tokens: [token: string, message: string][] = [
    ['a.b.c', 'The server answered 401'],
    ['wrong', 'The key of the test helpers is missing or wrong.'],
  ]
  for (const [token, message] of tokens) {
    const { code, stderr } = await commandLine(['listen', '--url', base, '--token', token])
    expect([token, code, stderr]).toEqual([token, 1, expect.stringContaining(message)])
  }
}, 120_000)

test('settings are checked first', async () => {
  const refused: [words: string, message: string][] = [
    ['--url http://127.0.0.1:1', '--token is missing'],
    ['--url ftp://hub --token a', '--url is not the address of a server'],
    ['--forward-to there', '--forward-to is not an http address: there'],
    ['', 'demo.json. Start "patchbay dev"'],
  ]
  for (const [words, message] of refused) {
    const { code, stderr } = await commandLine(['listen', ...words.split(' ').filter(Boolean)], {
      DATA_DIR: folder(),
    })
    expect([words, code, stderr]).toEqual([words, 1, expect.stringContaining(message)])
  }
  const damaged = folder()
  writeFileSync(join(damaged, 'demo.json'), '{')
  const broken = await commandLine(['listen'], { DATA_DIR: damaged })
  expect([broken.code, broken.stderr]).toEqual([
    1,
    expect.stringMatching(/^\S+demo\.json is not JSON [^\n]+\n$/),
  ])
  const nowhere = ['--url', 'http://127.0.0.1:1', '--token', 'x']
  const { code, stderr } = await commandLine(['trigger', 'add_lead', ...nowhere])
  expect([code, stderr]).toEqual([1, expect.stringContaining('http://127.0.0.1:1 does not answer')])
})
