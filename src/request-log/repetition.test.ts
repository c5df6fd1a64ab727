import { expect, test } from 'vitest'
import type { Exchange } from '../traffic.ts'
import { entryOf, readHeads, readMessages } from './entries.ts'
import type { Owner } from './owners.ts'

const first: Exchange = {
  direction: 'in',
  at: 1,
  duration_ms: 2,
  method: 'GET',
  host: 'demo.localhost',
  url: '/api/v4/leads?page=1',
  operation: 'leads.list',
  request_id: 'one',
  account_id: 1,
  subdomain: null,
  integration_id: 'i',
  user_id: 3,
  grant_id: 'g',
  generation: 1,
  status: 200,
  error: null,
  unread: [],
  request: {
    headers: { authorization: 'Bearer a-long-access-token-of-one-abcd', accept: '*/*' },
    content: null,
    size: 0,
  },
  response: { headers: { 'content-type': 'application/json' }, content: '{"id":1}', size: 8 },
}

const recorded = (exchange: Exchange) => {
  const { head, messages } = entryOf(exchange, exchange as Owner, null, true)
  const heads = readHeads(head)
  return { ...heads[0], ...readMessages(messages.join(''), heads)[0] }
}

const headers = (more: object) => ({ request: { ...first.request, headers: { accept: '*/*', ...more } } })
const answer = (content: string, type = 'application/json') => ({
  response: { headers: { 'content-type': type }, content, size: content.length },
})

/** Differences from the first exchange, each with the members that must be recorded. */
const others: [change: Partial<Exchange>, expected: object][] = [
  [{}, { path: '/api/v4/leads', query: 'page=1', request_id: 'one', generation: 1 }],
  [
    { request_id: 'two', status: 201, at: 9 },
    { request_id: 'two', status: 201, at: 9 },
  ],
  [{ url: '/api/v4/leads' }, { path: '/api/v4/leads', query: '' }],
  [{ url: '/api/v4/leads?token=a-long-secret-of-this-kind-efgh' }, { query: 'token=[token ...efgh]' }],
  [{ url: '/api/v4/leads?token=a-long-secret-of-this-kind-xyzw' }, { query: 'token=[token ...xyzw]' }],
  [{ generation: 2 }, { generation: 2 }],
  [
    { user_id: null, grant_id: null },
    { user_id: null, grant_id: null },
  ],
  [
    { method: 'HEAD', host: 'other.localhost' },
    { method: 'HEAD', host: 'other.localhost' },
  ],
  [
    { error: 'answer_lost', unread: ['x'], delivery_id: 5, attempt: 2 },
    { unread: ['x'], delivery_id: 5, attempt: 2 },
  ],
  [headers({}), { request: { headers: { accept: '*/*' }, body: null, is_cut: false } }],
  [
    headers({ host: 'a', accept: undefined }),
    { request: { headers: { host: 'a' }, body: null, is_cut: false } },
  ],
  [
    headers({ authorization: 'Bearer a-long-access-token-of-one-wxyz' }),
    {
      request: {
        headers: { accept: '*/*', authorization: 'Bearer [access_token ...wxyz]' },
        body: null,
        is_cut: false,
      },
    },
  ],
  [
    answer('{"id":2}'),
    { response: { headers: { 'content-type': 'application/json' }, body: '{"id":2}', is_cut: false } },
  ],
  [
    answer('{"password":"a-long-password-of-it-1234"}'),
    {
      response: {
        headers: { 'content-type': 'application/json' },
        body: '{"password":"[password ...1234]"}',
        is_cut: false,
      },
    },
  ],
  // The type decides whether a body is kept.
  [
    answer('{"password":"a-long-password-of-it-1234"}', 'image/png'),
    { response: { headers: { 'content-type': 'image/png' }, body: null, is_cut: false } },
  ],
]

test('a request is recorded as it was, regardless of the request before it', () => {
  for (const [before] of others)
    for (const [change, expected] of others) {
      recorded({ ...first, ...before })
      expect({ change, ...recorded({ ...first, ...change }) }).toMatchObject({ change, ...expected })
    }
})

test('requests of different operations do not share anything', () => {
  recorded(first)
  const other = recorded({
    ...first,
    operation: 'oauth.token',
    ...answer('{"code":"a-long-code-of-it-5678"}'),
  })
  expect(other).toMatchObject({ operation: 'oauth.token', response: { body: '{"code":"[code ...5678]"}' } })
  expect(recorded({ ...first, ...answer('{"code":"a-long-code-of-it-5678"}') }).response?.body).toContain(
    'a-long-code',
  )
})
