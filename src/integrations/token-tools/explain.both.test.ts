import { expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { connect, refresh, register } from '../../../test/fixtures/integrations.ts'
import { helper, logged } from '../../../test/fixtures/request-log.ts'
import { explain, newestFamily, TOKENS } from '../../../test/fixtures/tokens.ts'
import { world } from '../../../test/world.ts'
import { rates } from '../../http/limits/rate-limit.ts'

test.each([
  ['pbr_cut', 'malformed', 'has 7 characters instead of 47'],
  [`pbc_${'a'.repeat(44)}`, 'malformed', 'authorization code has 48 characters'],
  [`pbr_${'a'.repeat(43)}`, 'not_issued', 'did not issue this token in this account'],
  [`pbh_${'a'.repeat(43)}`, 'other_kind', 'secret of another kind'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2lnbmF0dXJl', 'not_issued', 'did not issue'],
  ['..', 'not_issued', 'did not issue'],
  ['\u{1f511}', 'not_issued', 'did not issue'],
])('%j is unknown: %s', async (token, unknown, words) => {
  const here = await world()
  const found = await explain(here, token)
  expect(found).toMatchObject({ state: 'unknown', unknown, kind: null, grant_id: null })
  expect(found.sentence).toContain(words)
})

test('blanks and the word Bearer around a token do not matter', async () => {
  const here = await world()
  const tokens = await connect(here.stranger, await register(here.admin))
  for (const token of [` ${tokens.access_token}\n`, `Bearer ${tokens.access_token}`])
    expect((await explain(here, token)).state).toBe('valid')
})

onEmbedded.each([
  [{}],
  [{ token: '' }],
  [{ token: '\u0000' }],
  [{ token: 7 }],
  [{ token: 'a'.repeat(4_097) }],
  [[]],
])('the body %j is refused', async (body) => {
  const here = await world()
  expect((await helper(here).post(`${TOKENS}/explain`, body)).status).toBe(400)
})

onEmbedded('unknown tokens count as guesses, and known ones do not', async () => {
  const here = await world({ env: { RATE_LIMITS: 'on' }, ownServer: true })
  const tokens = await connect(here.stranger, await register(here.admin))
  const { burst } = rates.stranger
  const ask = (token: string) => here.admin.browser.post('/web/tokens/explain', { token })
  for (let i = 0; i < burst; i++) expect((await ask(tokens.access_token)).status).toBe(200)
  for (let i = 0; i < burst; i++) expect((await ask(`pbr_${i}`)).status).toBe(200)
  const refused = await ask('pbr_one-more')
  expect(refused.status).toBe(429)
  expect((await ask(tokens.access_token)).body.state).toBe('valid')
})

onEmbedded('a pasted token is neither logged nor recorded, and no answer contains one', async () => {
  const here = await world({ ownServer: true })
  const shop = await register(here.admin)
  const tokens = await connect(here.stranger, shop)
  const renewed = (await refresh(here.stranger, shop, tokens.refresh_token)).body
  const unknown = `pbr_${'z'.repeat(43)}`
  const secrets = [...Object.values({ ...tokens, ...renewed }), shop.code, unknown].filter(
    (one) => typeof one === 'string' && one.length > 20,
  )
  expect(secrets).toHaveLength(4)
  const answers = []
  for (const token of secrets) answers.push(await explain(here, String(token)))
  answers.push(await newestFamily(here), await logged(here))
  const text = JSON.stringify(answers) + here.logged()
  expect(secrets.filter((token) => text.includes(String(token)))).toEqual([])
  expect((await logged(here)).filter(({ path }) => path.includes('explain'))).toEqual([])
})
