import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, onTestFinished, test } from 'vitest'
import { runningDemo } from '../../test/fixtures/demo.ts'
import { commandLine } from '../../test/programs/command-line.ts'
import { tools } from '../mcp/tools.ts'

/** The result that an agent gets from a tool. */
interface Result {
  text: string
  failed: boolean
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-mcp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts the command as an agent does, and connects the SDK's own client to it. */
async function agent(env: Record<string, string>, ...options: string[]) {
  const client = new Client({ name: 'test', version: '1' })
  const command = { command: process.execPath, args: ['dist/server/main.js', 'mcp', ...options] }
  const transport = new StdioClientTransport({ ...command, env, stderr: 'pipe' })
  let printed = ''
  transport.stderr?.on('data', (chunk) => {
    printed += chunk
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const call = async (name: string, input: Record<string, unknown> = {}): Promise<Result> => {
    const { content, isError } = await client.callTool({ name, arguments: input })
    const [{ text }] = content as [{ text: string }]
    return { text, failed: isError === true }
  }
  const read = async (name: string, input: Record<string, unknown> = {}) => {
    const { text, failed } = await call(name, input)
    if (failed) throw new Error(text)
    return JSON.parse(text)
  }
  return { client, call, read, printed: () => printed }
}

test('each tool answers from a running server', async () => {
  const { base, demo, DATA_DIR } = await runningDemo()
  const { client, call, read, printed } = await agent({ DATA_DIR })
  const called = new Set<string>()
  const ask = (name: string, input?: Record<string, unknown>) => {
    called.add(name)
    return read(name, input)
  }
  const listed = (await client.listTools()).tools
  expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  expect(listed.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])

  await fetch(`${base}/api/v4/leads?limit=5`, { headers: { authorization: 'Bearer nobody' } })
  const [row] = (await ask('requests_wait', { path: '/api/v4/leads', status: '401' })).requests
  expect(row.why.rule).toContain('did not issue the access token')
  expect((await ask('requests_search', { refused: true })).requests[0].id).toBe(row.id)
  const whole = await ask('requests_read', { id: row.id })
  expect(JSON.stringify(whole.request.headers)).not.toContain('nobody')
  const { channel, tokens } = demo
  const me = await fetch(`${base}/api/v4/account`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })
  const request_id = me.headers.get('x-request-id') as string
  await ask('requests_wait', { request_id })
  expect(JSON.stringify(await ask('traces_read', { request_id }))).toContain('/api/v4/account')
  const url = `/v2/origin/custom/${channel?.scope_id}`
  const signed = await ask('signatures_check', {
    url,
    headers: { 'X-Signature': 'a'.repeat(40) },
    body: '{}',
  })
  expect(signed.holds).toBe(false)
  const { families } = await ask('tokens_list', { limit: 5 })
  expect((await ask('tokens_read', { id: families[0].id })).pairs.length).toBeGreaterThan(0)
  expect((await ask('tokens_explain', { token: tokens.access_token })).sentence).toMatch(/valid/)
  const { _embedded } = await ask('events_search', { entity: 'lead', limit: 3 })
  expect(_embedded.events).toHaveLength(3)
  const [event] = _embedded.events
  expect(await ask('events_read', { id: event.id })).toMatchObject({ id: event.id, type: event.type })
  const { operations } = await ask('operations_list', { query: 'leads create' })
  expect(operations).toContainEqual(expect.objectContaining({ operationId: 'leads.create', method: 'POST' }))
  const described = await ask('operations_read', { operation: 'leads.create' })
  expect(described.operation.requestBody.content['application/json'].example).toBeDefined()
  expect(described.components['#/components/schemas/NewLeads']).toBeDefined()
  const { sections } = await ask('docs_search', { query: 'secrets never stored' })
  expect(sections[0].file).toBe('docs/request-log.md')
  called.add('docs_read')
  const section = await call('docs_read', { file: sections[0].file, heading: sections[0].heading })
  expect(section.text).toContain('Secrets are never stored')
  expect([...called].sort()).toEqual(tools.map(({ name }) => name).sort())

  const missed = await call('requests_wait', { path: '/api/v4/leads', status: '200', timeout: 0 })
  expect(missed).toEqual({ failed: true, text: expect.stringContaining('nearest') })
  const unknown = await call('requests_read', { id: 999_999_999 })
  expect(unknown).toEqual({ failed: true, text: expect.stringContaining('The server answered 404') })
  const long = await call('docs_read', { file: 'docs/wire/records.md' })
  expect(long.text.length).toBeLessThan(41_000)

  // Bad input and unknown names are errors of the tool.
  await expect(call('requests_delete')).resolves.toMatchObject({ failed: true })
  for (const [name, input, sentence] of [
    ['requests_search', { status: '6xx' }, 'status'],
    ['requests_search', { limit: 1_000 }, 'limit'],
    ['requests_read', { id: 'x' }, 'id'],
    ['events_read', { id: '../users' }, 'id'],
    [
      'docs_read',
      { file: '../package.json' },
      'There is no guide ../package.json. The guides are: README.md',
    ],
    ['docs_read', { file: 'docs/request-log.md', heading: 'Nothing' }, 'has no section "Nothing"'],
  ] as const)
    expect(await call(name, input)).toEqual({ failed: true, text: expect.stringContaining(sentence) })
  const { found, files } = JSON.parse((await call('docs_search', { query: 'xylophone' })).text)
  expect([found, files]).toEqual([0, expect.arrayContaining(['docs/chat-channels.md'])])
  expect(printed()).toBe('')
}, 240_000)

test('starts with the configuration that the guide shows', async () => {
  const guide = readFileSync('docs/debugging-an-integration.md', 'utf8')
  const [, text = ''] = /^```json\n(\{ "mcpServers".*?)\n```/ms.exec(guide) ?? []
  const { command, args, env } = JSON.parse(text.replaceAll('/path/to/patchbay', process.cwd())).mcpServers
    .patchbay
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport({ command, args, env }))
  onTestFinished(() => client.close())
  expect((await client.listTools()).tools).toHaveLength(tools.length)
})

test('a server that is not there is named, and may start later', async () => {
  const without = await agent({ DATA_DIR: newFolder() })
  expect((await without.call('requests_search')).text).toMatch(
    /There is no .*demo\.json\. Start "patchbay dev"/,
  )
  const dead = await agent({ DATA_DIR: newFolder() }, '--url', 'http://127.0.0.1:9', '--key', 'k')
  expect(await dead.call('requests_search')).toEqual({
    failed: true,
    text: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9 does not answer: /),
  })
  expect((await dead.call('events_search')).text).toContain('Start "patchbay mcp" with --token')
}, 120_000)

test.each([
  ['--url nowhere --key k', '--url is not the address of a server, such as http://localhost:8080: nowhere'],
  ['--url http://localhost:8080', '--key or --token is missing'],
])('refuses %s', async (options, message) => {
  const { code, stderr } = await commandLine(['mcp', ...options.split(' ')])
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
})
