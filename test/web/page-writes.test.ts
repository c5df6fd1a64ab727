import { describe, expect, test } from 'vitest'
import { adds } from '../../web/api/repeats.ts'
import { servedRoutes } from '../rights/served-routes.ts'
import { world } from '../world.ts'

/** Why a POST of pages has no idempotency key. All others add something, and have one. */
const withoutKey: Record<string, string> = {
  '/channels/:/connect': 'a second time changes nothing',
  '/channels/:/disconnect': 'a second time changes nothing',
  '/channels/:/keys': 'reads',
  '/channels/:/resume': 'a second time changes nothing',
  '/channels/:/secret': 'the secret that the provider uses stays valid',
  '/channels/:/signatures': 'reads',
  '/channels/:/telephone/messages': 'passes through the whole chat API',
  '/channels/:/telephone/reaction': 'a second time changes nothing',
  '/channels/:/telephone/status': 'a second time changes nothing',
  '/channels/:/telephone/typing': 'nothing is stored',
  '/drive/v1.0/files/restore': 'a second time changes nothing',
  '/drive/v1.0/sessions': 'an upload without data gives way to others (D3)',
  '/drive/v1.0/sessions/upload/:/:': 'a part is known by its bytes',
  '/installations': 'a second time gives another code',
  '/installations/:/code': 'an unused code expires',
  '/installations/:/disable': 'a second time changes nothing',
  '/installations/:/short-lived-tokens': 'an unused token expires',
  '/installations/:/widget_token': 'an unused token expires',
  '/integrations/:/check': 'reads',
  '/integrations/:/keys': 'reads',
  '/integrations/:/secret': 'the newest secret is the valid one',
  '/password': 'a link works once',
  '/people/:/password_link': 'the newest link is the valid one (A16)',
  '/requests/:/send': 'passes through the whole server',
  '/retention/forecasts': 'reads',
  '/retention/runs': 'a second time changes nothing',
  '/session': 'has no caller yet',
  '/session/confirm': 'a second time changes nothing',
  '/setup': 'a link works once',
  '/signatures/check': 'reads',
  '/tokens/:/age': 'a fault on demand',
  '/tokens/:/expire': 'a fault on demand',
  '/tokens/:/lose_answer': 'a fault on demand',
  '/tokens/:/race': 'a fault on demand',
  '/tokens/:/revoke': 'a second time changes nothing',
  '/tokens/explain': 'reads',
  '/webhooks/:/secret': 'the newest secret is the valid one',
}

describe('A POST of pages that adds something', () => {
  test('accepts an idempotency key, and the pages send one', async () => {
    const { app, admin } = await world()
    const routes = servedRoutes(app.http, '/web').filter((route) => /^POST \/(?!v4\/)/.test(route))
    const found = await Promise.all(
      routes.map(async (route) => {
        const path = route.slice('POST '.length)
        const url = `/web${path.replaceAll('/:', '/1')}`
        const { body } = await admin.browser.post(url, {}, { 'idempotency-key': '' })
        const isAccepted = /#idempotency_key_invalid$/.test(body?.type ?? '')
        const isSent = adds(new Request(`http://demo.localhost${url}`, { method: 'POST' }))
        return { path, isAccepted, isSent }
      }),
    )
    const expected = found.map(({ path }) => {
      const hasKey = !Object.hasOwn(withoutKey, path)
      return { path, isAccepted: hasKey, isSent: hasKey }
    })
    expect(found).toEqual(expected)
    const paths = found.map(({ path }) => path)
    expect(Object.keys(withoutKey).filter((path) => !paths.includes(path))).toEqual([])
  })
})
