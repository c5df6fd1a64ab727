import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add } from '../../test/fixtures/records.ts'
import { logged } from '../../test/fixtures/request-log.ts'
import { refusalsInSources } from '../../test/sources/refusal-codes.ts'
import { world } from '../../test/world.ts'
import { rulePath, rules, rulesAsMarkdown, titles } from './rules.ts'

const FILE = new URL('../../docs/rules.md', import.meta.url)

describe('The rules of refusals', () => {
  test('are in the documentation as the table has them', () => {
    if (process.env.RULES === 'write') writeFileSync(FILE, rulesAsMarkdown())
    expect(readFileSync(FILE, 'utf8')).toBe(rulesAsMarkdown())
  })

  test('have one sentence for each code that the program can answer', () => {
    const codes = rules.map(({ code }) => code)
    expect(codes).toEqual([...new Set(codes)])
    const answered = refusalsInSources()
    expect(answered.length).toBeGreaterThan(80)
    expect(answered.filter((code) => !codes.includes(code))).toEqual([])
    for (const { code, status, text } of rules) {
      expect(text, code).toMatch(/^[^\s].*[.:…]$/s)
      expect(titles.has(status), code).toBe(true)
    }
  })

  test('are on the page to which the type of a problem leads', async () => {
    const here = await world()
    const { body, status } = await here.stranger.get('/api/v4/account')
    expect([status, body.type]).toEqual([401, 'http://demo.localhost:8080/docs/errors#token_missing'])
    const page = await here.stranger.get('/docs/errors')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    for (const { code } of rules) expect(page.text).toContain(`<dt id="${code}">`)
    expect(page.text).toContain('<code>Authorization: Bearer</code>')
  })

  test('are linked from each refusal in the log, by their code or by their status', async () => {
    const here = await world()
    const integration = await register(here.admin)
    const tokens = await connect(here.stranger, integration)
    const client = here.stranger.as({ token: tokens.access_token })
    await add(here.admin.browser, 'leads')
    await client.get('/api/v4/tasks/999999')
    await client.post('/api/v4/leads', [{ price: 'five' }])
    await here.stranger.as({ token: 'nobody' }).get('/api/v4/account')
    await here.stranger.post('/oauth2/access_token', { client_id: integration.client_id, client_secret: 'x' })
    const found = (await logged(here, 'refused=true')).map(({ why, status }) => [status, why?.docs])
    expect(found).toEqual([
      [400, '/docs/errors#missing_parameter'],
      [401, '/docs/errors#token_unknown'],
      [400, '/docs/errors#invalid'],
      [404, '/docs/errors#not_found'],
    ])
  })

  test('of an unknown code or status have the address of the whole page', () => {
    expect(rulePath(418, 'teapot')).toBe('/docs/errors')
    expect(rulePath(null, null)).toBe('/docs/errors')
    expect(rulePath(409, 'teapot')).toBe('/docs/errors#conflict')
    expect(rulePath(409, 'constructor')).toBe('/docs/errors#conflict')
  })
})
