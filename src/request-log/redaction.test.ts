import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Exchange } from '../traffic.ts'
import { entryOf, type Head, readHeads, readMessages } from './entries.ts'
import type { Owner } from './owners.ts'

const LONG = 'Zq7vXk2LmN8pRt4wYc6B'
const TOKEN = `pbr_${'a1B2'.repeat(10)}xyz`
const JWT = `eyJhbGciOiJFZERTQSJ9.${'eyJh'.repeat(8)}.${'c2ln'.repeat(8)}`

const exchange = (change: Partial<Exchange> = {}): Exchange => ({
  ...{ direction: 'in', at: 0, duration_ms: 1, method: 'POST', host: 'demo.example', url: '/api/v4/leads' },
  ...{ operation: 'leads.create', request_id: 'r', account_id: 1, subdomain: null, integration_id: null },
  ...{ user_id: null, grant_id: null, generation: null, status: 200, error: null, unread: [] },
  request: { headers: {}, content: null, size: 0 },
  response: { headers: {}, content: null, size: 0 },
  ...change,
})

function stored(given: Partial<Exchange>) {
  const one = exchange(given)
  const entry = entryOf(one, one as Owner, null, true)
  const [heads, messages] = [entry.head, entry.messages.join('')].map((text) =>
    Buffer.from(text).toString(),
  ) as [string, string]
  const [head] = readHeads(heads) as [Head]
  return { head, ...readMessages(messages, [head])[0], text: heads + messages }
}

const sent = (content: string, type = 'application/json', change: Partial<Exchange> = {}) =>
  stored({ request: { headers: { 'content-type': type }, content, size: content.length }, ...change })

test.each([
  [
    '{"client_secret":"Zq7vXk2LmN8pRt4wYc6B","name":"A"}',
    '{"client_secret":"[client_secret ...Yc6B]","name":"A"}',
  ],
  ['{"password" : "blue \\" otter"}', '{"password" : "[password]"}'],
  ['{"password":12345678}', '{"password":"[password]"}'],
  ['{"token":null,"is":{"refresh_token":""}}', '{"token":null,"is":{"refresh_token":""}}'],
  ['{"apiKey":"Zq7vXk2LmN8pRt4wYc6B","tokens":1}', '{"apiKey":"[apiKey ...Yc6B]","tokens":1}'],
  ['{"code":"PHONE","field_code":"EMAIL"}', '{"code":"PHONE","field_code":"EMAIL"}'],
  [`{"name":"${TOKEN}"}`, '{"name":"[refresh_token ...2xyz]"}'],
  [`{"name":"line\\n${JWT}"}`, '{"name":"line\\n[access_token ...c2ln]"}'],
  ['{"client\\u005fsecret":"Zq7vXk2LmN8pRt4wYc6B"}', '{"client_secret":"[client_secret ...Yc6B]"}'],
  [
    `{"a":"https:\\/\\/x\\/download\\/1\\/f\\/v\\/17\\/${LONG}\\/a.txt"}`,
    '{"a":"https:\\/\\/x\\/download\\/1\\/f\\/v\\/17\\/[signature ...Yc6B]\\/a.txt"}',
  ],
  ['{"to":"https://ann:Zq7vXk2LmN8pRt4wYc6B@x/a"}', '{"to":"https://ann:[password ...Yc6B]@x/a"}'],
  ['{"to":"https:\\/\\/ann:hunter2@x\\/a@b"}', '{"to":"https:\\/\\/ann:[password]@x\\/a@b"}'],
  ['{"to":"http://x:8080/a@b, ann@x.example"}', '{"to":"http://x:8080/a@b, ann@x.example"}'],
  ['{"client_secret":"Zq7vXk2LmN8pRt4', '{"client_secret":"[client_secret]"'],
  ['{"password":{"old":"blue otter","new":["}"]},"a":1}', '{"password":"[password]","a":1}'],
  ['{"token" : [["]", "blue"],\n"otter"], "a":[1]}', '{"token" : "[token]", "a":[1]}'],
  [
    '{"password":{},"token":[],"a":{"secret":{"b":1}}}',
    '{"password":{},"token":[],"a":{"secret":"[secret]"}}',
  ],
  ['{"password":{"old":"blue otter","ne', '{"password":"[password]"'],
  [`{'password': {'old': "blue's", 'new': 'ot"}ter'}, 'a': 1}`, `{'password': '[password]', 'a': 1}`],
])('the body %s is stored as %s', (body, expected) => {
  expect(sent(body).request?.body).toBe(expected)
})

test.each([
  ['a form as JSON', 'client_id=1&client_secret=Zq7vXk2LmN8pRt4wYc6B', 'application/json'],
  ['a form as text', 'client_id=1&client_secret=Zq7vXk2LmN8pRt4wYc6B', 'text/plain'],
  ['JSON as a form', '{"client_secret":"Zq7vXk2LmN8pRt4wYc6B"}', 'application/x-www-form-urlencoded'],
  ['the quotes of a program', "{'client_secret': 'Zq7vXk2LmN8pRt4wYc6B', 'a': 1}", 'application/json'],
  ['JSON in a form', 'data={"client_secret":"Zq7vXk2LmN8pRt4wYc6B"}', 'application/x-www-form-urlencoded'],
])('%s is stored without its secret', (_, body, type) => {
  const { request, text } = sent(body, type)
  expect(request?.body).toContain('client_secret')
  expect(text).not.toContain(LONG)
})

test('what was read as a name is stored without the secrets in it', () => {
  const name = `{"client_secret":"${LONG}"}`
  const { head, text } = stored({
    unread: [name, 'client_secret'],
    response: { headers: { 'x-ignored': name }, content: null, size: 0 },
  })
  expect(head.unread).toEqual(['{"client_secret":"[client_secret ...Yc6B]"}', 'client_secret'])
  expect(text).not.toContain(LONG)
})

test('the code in a token request is a secret; elsewhere a code is the name of a field', () => {
  const body = '{"code":"Zq7vXk2LmN8pRt4wYc6B"}'
  expect(sent(body, 'application/json', { operation: 'oauth.token' }).request?.body).toBe(
    '{"code":"[code ...Yc6B]"}',
  )
  expect(sent(body).request?.body).toBe(body)
})

test('forms and queries keep their names', () => {
  const form = `grant_type=refresh_token&client%5Fsecret=${LONG}&refresh_token=${TOKEN}&code=${LONG}&a[password]=x&password[new]=x&a%5Btoken%5D%5B%5D=x&empty_token=`
  const expected =
    'grant_type=refresh_token&client%5Fsecret=[client_secret ...Yc6B]&refresh_token=[refresh_token ...2xyz]&code=[code ...Yc6B]&a[password]=[a[password]]&password[new]=[password[new]]&a%5Btoken%5D%5B%5D=[a[token][]]&empty_token='
  expect(sent(form, 'application/x-www-form-urlencoded').request?.body).toBe(expected)
  expect(stored({ url: `/x?${form}` }).head).toMatchObject({ path: '/x', query: expected })
})

test('headers show the kind and the end of a secret', () => {
  const basic = Buffer.from(`id:${LONG}`).toString('base64')
  const headers = {
    authorization: `Bearer ${JWT}`,
    'proxy-authorization': `Basic ${basic}`,
    cookie: `__Host-session=pbs_${LONG}`,
    'x-signature': LONG.repeat(2),
    'webhook-signature': `v1,${LONG}`,
    'x-refresh-token': TOKEN,
    location: `https://shop.example/oauth?code=${LONG}&state=1`,
    'user-agent': `client ${TOKEN}`,
    accept: '*/*',
  }
  const { request, text } = stored({ request: { headers, content: null, size: 0 } })
  expect(request?.headers).toEqual({
    authorization: 'Bearer [access_token ...c2ln]',
    'proxy-authorization': 'Basic [client_secret ...Yc6B]',
    cookie: '[cookie ...Yc6B]',
    'x-signature': '[x-signature ...Yc6B]',
    'webhook-signature': '[webhook-signature ...Yc6B]',
    'x-refresh-token': '[x-refresh-token ...2xyz]',
    location: 'https://shop.example/oauth?code=[code ...Yc6B]&state=1',
    'user-agent': 'client [refresh_token ...2xyz]',
    accept: '*/*',
  })
  for (const secret of [LONG, JWT, TOKEN, basic]) expect(text).not.toContain(secret)
})

test('tokens are replaced in paths, hosts, names of members and errors, too', () => {
  const url = `/drive/v1.0/sessions/upload/pbu_${LONG}/0`
  const { head, text } = stored({
    url,
    unread: [`${TOKEN}`],
    error: `reset: ${JWT}`,
    host: 'x',
    status: null,
  })
  expect(head.path).toBe('/drive/v1.0/sessions/upload/[upload_token ...Yc6B]/0')
  expect(text).not.toMatch(/a1B2a1B2|eyJhbG|Zq7vXk/)
})

test('a secret member of any body is never stored, wherever it stands', () => {
  const names = ['client_secret', 'password', 'access_token', 'refresh_token', 'Secret', 'x_signature']
  const secret = fc.string({ minLength: 16, maxLength: 40, unit: fc.constantFrom(...'abcdefXYZ0189') })
  const other = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))
  fc.assert(
    fc.property(fc.constantFrom(...names), secret, other, fc.boolean(), (name, value, around, isPretty) => {
      const body = JSON.stringify(
        { ...around, deep: [{ [name]: value, after: around }] },
        null,
        isPretty ? 2 : 0,
      )
      expect(sent(body).text).not.toContain(value)
      // Clients encode JSON twice, and send JSON as a text in other JSON.
      expect(sent(JSON.stringify(body)).text).not.toContain(value)
      expect(sent(JSON.stringify({ payload: body })).text).not.toContain(value)
      expect(sent(JSON.stringify(body).slice(0, -8)).text).not.toContain(value)
    }),
  )
})

test('a secret in JSON that is a text is replaced as a whole, and the rest stays', () => {
  const body = {
    name: 'a "b"',
    client_secret: `k"9\\\\\n{${'x'.repeat(20)}`,
    list: { token: { a: ['b'] } },
    last: 1,
  }
  const shown = sent(JSON.stringify(JSON.stringify(body))).request?.body ?? ''
  expect(JSON.parse(JSON.parse(shown))).toEqual({
    ...body,
    client_secret: expect.stringMatching(/^\[client_secret/),
    list: { token: expect.stringMatching(/^\[token/) },
  })
})

test('other bodies are stored as they are', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const body = JSON.stringify(value)
      fc.pre(!/secret|passw|token|signature|key|verifier|user_hash|eyJ|pb[a-z]_|\\u00/i.test(body))
      expect(sent(body).request?.body).toBe(body)
    }),
  )
})

test('a long hostile body takes no more than its length', () => {
  const hostile = [
    '"'.repeat(65_536),
    '"a_'.repeat(21_000),
    `"${'token'.repeat(13_000)}`,
    '{"token":"'.repeat(6_000),
    '{"token":{'.repeat(6_000),
    "{'token':['".repeat(6_000),
    '{\\"token\\":\\"'.repeat(5_000),
    '{\\"token\\":{'.repeat(5_000),
    '\\"'.repeat(32_000),
    `"token\\"${'\\'.repeat(60_000)}`,
    '/download/1/a/b/1'.repeat(3_500),
  ]
  const before = performance.now()
  for (const body of hostile) sent(body)
  expect(performance.now() - before).toBeLessThan(2_000)
})
