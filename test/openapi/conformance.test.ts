import { describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { compare, type Exchange, misfitOf, takeMisfits } from './conformance.ts'
import { type Description, descriptionOf } from './description.ts'

const problem = { title: 'Bad Request', type: 'http://x/docs/errors#invalid', status: 400, detail: 'Wrong.' }
const group = { id: 1, name: 'North', uuid: null, _links: { self: { href: 'http://x/api/v4/groups/1' } } }

/** A correct answer with a change. */
function answered(change: Partial<Exchange>): Exchange {
  const type = (change.status ?? 201) < 400 ? 'application/hal+json' : 'application/problem+json'
  const text = change.text ?? JSON.stringify(change.body ?? group)
  return { method: 'POST', url: '/api/v4/groups', status: 201, type, body: group, text, ...change }
}

const said = async (change: Partial<Exchange>): Promise<string | null> => {
  const { app } = await world()
  const description: Description = await descriptionOf(app.http)
  return misfitOf(description, answered(change))
}

describe('The description', () => {
  test.each<[string, Partial<Exchange>]>([
    ['an answer as it is described', {}],
    [
      'the same answer for the web application',
      { url: '/web/v4/groups', type: 'application/json; charset=utf-8' },
    ],
    ['a refusal', { status: 400, body: problem }],
    [
      'no body, where none is described',
      { method: 'DELETE', url: '/api/v4/groups/1', status: 204, type: undefined, text: '' },
    ],
    [
      'a query, which does not belong to the address',
      { method: 'GET', url: '/api/v4/groups/?page=1', status: 401, body: problem },
    ],
    ['a refusal at an unknown address', { url: '/api/v4/none', status: 404, body: problem }],
    [
      'a file of any type',
      { method: 'GET', url: '/drive/v1.0/files/a/download', status: 200, type: 'image/png', text: 'x' },
    ],
    [
      'an export',
      {
        method: 'GET',
        url: '/api/v4/events',
        status: 200,
        type: 'text/csv; charset=utf-8; header=present',
        text: 'x',
      },
    ],
  ])('fits: %s', async (_name, change) => {
    expect(await said(change)).toBeNull()
  })

  test.each<[string, Partial<Exchange>, string]>([
    ['an undescribed status', { status: 200 }, 'POST /api/v4/groups: 200 is not described'],
    ['an internal error', { status: 500, body: problem }, '500 is not described'],
    ['an unexpected charset', { type: 'application/hal+json; charset=utf-8' }, 'is of the type'],
    ['a page instead of JSON', { type: 'text/html', text: '<p>' }, 'is of the type text/html'],
    ['a missing member', { body: { ...group, name: undefined } }, "must have required property 'name'"],
    ['a member of another type', { body: { ...group, id: '1' } }, '/id must be integer'],
    [
      'an invalid part of a referenced schema',
      { body: { ...group, _links: {} } },
      "/_links must have required property 'self'",
    ],
    ['a refusal of another form', { status: 400, body: { error: 'no' } }, 'must have required property'],
    ['a body where there is none', { method: 'DELETE', url: '/api/v4/groups/1', status: 204 }, 'has a body'],
    ['an answer at an unknown address', { url: '/api/v4/none' }, 'of no operation'],
    [
      'a static path before a parameter',
      { method: 'GET', url: '/api/v4/leads/pipelines', status: 202 },
      'GET /api/v4/leads/pipelines: 202',
    ],
  ])('does not accept %s', async (_name, change, message) => {
    expect(await said(change)).toContain(message)
  })

  test('is compared with the answers at each of its addresses', async () => {
    const { app } = await world()
    const { operations } = await descriptionOf(app.http)
    for (const { method, path: url } of operations) {
      await compare(app.http, answered({ method, url, status: 599 }))
      expect(takeMisfits(app.http), `${method} ${url}`).toHaveLength(1)
    }
  })
})
