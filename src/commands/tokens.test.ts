import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { runningDemo } from '../../test/fixtures/demo.ts'
import { commandLine } from '../../test/programs/command-line.ts'

test('reads and changes the tokens of a running server', async () => {
  const { base, demo, DATA_DIR } = await runningDemo()
  const tokens = (words: string) => commandLine(['tokens', ...words.split(' ')], { DATA_DIR })
  const refresh = async (refresh_token: string) => {
    const answer = await fetch(`${base}/oauth2/access_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ ...demo.integration, grant_type: 'refresh_token', refresh_token }),
    })
    return { status: answer.status, body: (await answer.json()) as { refresh_token: string } }
  }

  const { stdout: list } = await tokens('list')
  const [consent = ''] = list.split(' ')
  expect(list).toMatch(/^[0-9a-f-]{36} {2}(?:in_use|unused) {4}Demo integration, for Ada Demo\n/)

  expect(await tokens(`lose-answer ${consent}`)).toMatchObject({ code: 0, stderr: '' })
  const { refresh_token } = demo.tokens
  await expect(refresh(refresh_token)).rejects.toThrow('fetch failed')
  const again = await refresh(refresh_token)
  expect(again.status).toBe(200)

  expect((await tokens(`race ${consent}`)).code).toBe(0)
  const [one, two] = await Promise.all([again, again].map(({ body }) => refresh(body.refresh_token)))
  expect([one?.status, two?.status]).toEqual([200, 200])
  expect(one?.body.refresh_token).toBe(two?.body.refresh_token)

  expect((await commandLine(['tokens', 'explain'], { DATA_DIR }, `${refresh_token}\n`)).stdout).toMatch(
    /^The refresh token was replaced: a new pair was issued at .* by request .*, and first used at /,
  )
  await tokens(`expire ${consent} --kind refresh_token --generation 2`)
  const { stdout: shown } = await tokens(`show ${consent}`)
  expect(shown).toMatch(/^pair 2 {2}expired\n.*\n {2}access token {2}valid until/)
  expect(shown).toContain('pair 0  replaced')
  expect((await tokens('show 7d0b8b6e-0000-4000-8000-000000000000')).stderr).toContain(
    'There are no tokens with this id in this account.',
  )

  await commandLine(['account', 'create', '--subdomain', 'second', '--name', 'Second'], { DATA_DIR })
  expect((await tokens(`show ${consent}`)).stdout).toBe(shown)
  expect((await tokens('list --account second')).stdout).toBe('The account has no such tokens.\n')
}, 300_000)

test.each([
  ['show x', 'CONSENT is not the id of a consent, as "patchbay tokens list" shows it: x'],
  ['expire 7d0b8b6e-0000-4000-8000-000000000000 --generation two', '--generation is not a number: two'],
  ['race 7d0b8b6e-0000-4000-8000-000000000000 --timeout soon', '--timeout is not a number: soon'],
  ['list --url nowhere', '--url is not the address of a server'],
  ['list', 'Start "patchbay dev"'],
])('tokens %s is refused', async (words, message) => {
  const { code, stderr } = await commandLine(['tokens', ...words.split(' ')], { DATA_DIR: tmpdir() })
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
})
