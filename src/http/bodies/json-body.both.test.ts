import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { faultsOf } from '../../../test/faults.ts'
import { type World, world } from '../../../test/world.ts'
import { membersWithin, parseJson } from './json-body.ts'

/** Sends the bytes as the body of a new group. Returns the answer and the stored groups. */
async function written({ app, ctx, admin }: World, payload: string | Buffer, type = 'application/json') {
  const { host, cookie, csrf_token } = admin.browser.identity
  const answer = await app.http.inject({
    method: 'POST',
    url: '/web/v4/groups',
    headers: {
      host,
      cookie,
      'x-csrf-token': csrf_token,
      'sec-fetch-site': 'same-origin',
      'content-type': type,
    },
    payload,
  })
  const groups = await ctx.db.selectFrom('groups').select('name').where('id', '!=', 0).orderBy('id').execute()
  return { status: answer.statusCode, body: answer.json(), stored: groups.map(({ name }) => name) }
}

const nested = (depth: number) => `{"name":"A","x":${'['.repeat(depth)}${']'.repeat(depth)}}`
const members = (count: number) =>
  Buffer.from(`{${Array.from({ length: count }, (_, i) => `"${i.toString(36)}":0`).join(',')}}`)

const PROTOTYPE = 'The body should not have a member __proto__, nor prototype in a member constructor.'

describe('A JSON body is read exactly or refused', () => {
  const refusals: Record<string, [string | Buffer, string]> = {
    'no bytes': ['', 'Request data can not be empty'],
    'only spaces': [' \r\n\t', 'Request data can not be empty'],
    'only a byte order mark': ['\ufeff', 'Request data can not be empty'],
    'half a document': ['{"name":"A"', 'The body is not valid JSON at line 1, column 12.'],
    'two documents': ['{"name":"A"}{}', 'The body is not valid JSON at line 1, column 13.'],
    'single quotes': [`{'name':'A'}`, 'The body is not valid JSON at line 1, column 2.'],
    'a trailing comma': ['{"name":"A",}', 'The body is not valid JSON at line 1, column 13.'],
    'a comment': ['{"name":"A"/* */}', 'The body is not valid JSON at line 1, column 12.'],
    NaN: ['{"name":"A","x":NaN}', 'The body is not valid JSON.'],
    'a raw line break in a text': ['{"name":"A\nB"}', 'The body is not valid JSON at line 1, column 11.'],
    'an invalid escape': ['{"name":"\\x41"}', 'The body is not valid JSON at line 1, column 11.'],
    __proto__: ['{"name":"A","__proto__":{"polluted":1}}', PROTOTYPE],
    'an escaped __proto__': ['{"name":"A","\\u005f_proto__":{"polluted":1}}', PROTOTYPE],
    'a nested __proto__': ['{"name":"A","x":[{"__proto__":{"polluted":1}}]}', PROTOTYPE],
    'the prototype of constructor': ['{"name":"A","constructor":{"prototype":{"polluted":1}}}', PROTOTYPE],
    'a duplicate member': ['{"name":"A","name":"B"}', 'The body contains a duplicate member.'],
    'a duplicate member in two notations': [
      '{"name":"A","n\\u0061me":"B"}',
      'The body contains a duplicate member.',
    ],
    'a nested duplicate member': [
      '{"name":"A","x":[{"y":{"z":1,"z":1}}]}',
      'The body contains a duplicate member.',
    ],
    'a duplicate member within a replaced one': [
      '{"name":"A","x":{"y":1},"x":{}}',
      'The body contains a duplicate member.',
    ],
    'depth 21': [nested(20), 'The body is nested deeper than 20 levels.'],
    'a depth of sixty thousand': [nested(30_000), 'The body is nested deeper than 20 levels.'],
    'a byte of Latin-1': [Buffer.from('{"name":"Jos\xe9"}', 'latin1'), 'The body is not valid UTF-8.'],
    'UTF-16': [Buffer.from('{"name":"A"}', 'utf16le'), 'The body is not valid JSON at line 1, column 2.'],
    'an overlong slash': [Buffer.from('{"name":"\xc0\xaf"}', 'latin1'), 'The body is not valid UTF-8.'],
  }

  test('and a refused body leaves no trace', async () => {
    const here = await world()
    const refused = (detail: string) => ({
      status: 400,
      body: {
        title: 'Bad Request',
        type: 'http://demo.localhost:8080/docs/errors#invalid',
        status: 400,
        detail,
      },
      stored: [],
    })
    for (const [name, [payload, detail]] of Object.entries(refusals))
      expect([name, await written(here, payload)]).toEqual([name, refused(detail)])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  const LARGE =
    'This number cannot be stored exactly: it should be between -9007199254740991 and 9007199254740991.'
  const HALF = 'This text contains half of a surrogate pair.'
  const BAD_NAME = 'The name of a member should not contain NUL or half of a surrogate pair.'

  test.each<[string, string, string, string, string]>([
    ['an infinite number', '{"name":"A","x":1e400}', 'OutOfRange', 'x', LARGE],
    ['2^53 + 1', '{"name":"A","x":9007199254740993}', 'OutOfRange', 'x', LARGE],
    ['-2^53 - 1', '{"name":"A","x":[0,-9007199254740993]}', 'OutOfRange', 'x.1', LARGE],
    ['half a surrogate pair', '{"name":"\\ud800"}', 'InvalidFormat', 'name', HALF],
    ['the other half', '{"x":[{"y":"A\\udc00"}]}', 'InvalidFormat', 'x.0.y', HALF],
    ['half a surrogate pair in a name', '{"x":{"y":0,"\\ud800":1}}', 'InvalidFormat', 'x', BAD_NAME],
    ['NUL in a name', '{"\\u0000":1}', 'InvalidFormat', '', BAD_NAME],
    ['NUL', '{"x":{"y":"A"},"name":"A\\u0000B"}', 'InvalidFormat', 'name', 'This text contains NUL.'],
    ['a long path', `{"${'a'.repeat(300)}":1e400}`, 'OutOfRange', 'a'.repeat(255), LARGE],
    ['a number alone', '1e400', 'OutOfRange', '', LARGE],
  ])('%s is refused with its path and leaves no trace', async (_what, payload, code, path, detail) => {
    const { status, body, stored } = await written(await world(), payload)
    expect([status, body['validation-errors'], stored]).toEqual([
      400,
      [{ request_id: '0', errors: [{ code, path, detail }] }],
      [],
    ])
  })

  test('a fault in a batch names the item by its request_id or position', async () => {
    const { admin } = await world()
    const send = async (body: string) =>
      faultsOf(await admin.browser.post('/web/v4/leads', body, { 'content-type': 'application/json' }))
    expect(await send('[{"name":"A"},{"price":1e400}]')).toEqual([400, '1 OutOfRange price'])
    expect(await send('[{"request_id":"r","_embedded":{"tags":[{"name":"\\u0000"}]}}]')).toEqual([
      400,
      'r InvalidFormat _embedded.tags.0.name',
    ])
    expect(await send('[{"request_id":9007199254740993}]')).toEqual([400, '0 OutOfRange request_id'])
    expect(await send('[1e400]')).toEqual([400, '0 OutOfRange '])
  })

  test.each([
    ['a blank text', ' ', 'This value should not be blank.'],
    ['a text of two lines', 'A\\nB', 'This value should be one line without control characters.'],
  ])('%s is refused with the name of its member', async (_what, name, detail) => {
    const { status, body } = await written(await world(), `{"name":"${name}"}`)
    expect([status, body['validation-errors'][0].errors]).toEqual([
      400,
      [{ code: 'InvalidFormat', path: 'name', detail }],
    ])
  })

  const accepted: Record<string, [string | Buffer, string]> = {
    'letters of every script': ['{"name":"José Жанна 漢字 👩‍👩‍👧"}', 'José Жанна 漢字 👩‍👩‍👧'],
    'escaped surrogate pairs': ['{"name":"\\ud83d\\ude00"}', '😀'],
    'a leading byte order mark': ['\ufeff{"name":"A"}', 'A'],
    'quotes and colons in texts': ['{"name":"a\\":{b}[,\\\\"}', 'a":{b}[,\\'],
    'unknown members': ['{"name":"A","id":7,"constructor":"x","toString":1,"x":null}', 'A'],
    'the largest exact numbers': ['{"name":"A","x":[9007199254740991,-9007199254740991,0.1,1e15,-0]}', 'A'],
    'depth 20': [nested(19), 'A'],
    'an object in each of many lists': [`{"name":"A","x":[${'{"a":1},'.repeat(999)}{"a":1}]}`, 'A'],
  }

  test('and an accepted body is stored as it was sent', async () => {
    const here = await world()
    const kept: string[] = []
    for (const [what, [payload, name]] of Object.entries(accepted)) {
      kept.push(name)
      const { status, body, stored } = await written(here, payload)
      expect([what, status, body.name, stored]).toEqual([what, 201, name, kept])
    }
  })

  test('with at most ten thousand members', () => {
    expect(Object.keys(parseJson(members(10_000)) as object).length).toBe(10_000)
    expect(() => parseJson(members(10_001))).toThrow('The body has more than 10000 members.')
  })

  test('with more members where more bytes are allowed: one per 16 bytes', () => {
    expect([0, 65_536, 160_000, 160_016, 2 * 1024 * 1024].map(membersWithin)).toEqual([
      10_000, 10_000, 10_000, 10_001, 131_072,
    ])
    const two = (first: number, second: number) => Buffer.from(`[${members(first)},{"a":${members(second)}}]`)
    expect(() => parseJson(two(10_000, 10_000), 20_001)).not.toThrow()
    expect(() => parseJson(two(10_000, 10_000), 20_000)).toThrow('The body has more than 20000 members.')
    const names = 'The body has more than 10000 different member names.'
    expect(() => parseJson(two(10_001, 1), 20_001)).toThrow(names)
    expect(() => parseJson(two(1, 10_001), 20_001)).toThrow(names)
    const others = Buffer.from(
      `[${members(6_000)},${members(6_000).toString().replaceAll(/"(\w)/g, '"_$1')}]`,
    )
    expect(() => parseJson(others, 20_001)).toThrow(names)
  })

  test('with a limited number of list items', () => {
    const lists = (count: number) => Buffer.from(`{"a":[[],${'[0,0],'.repeat(count / 2)}{"b":[]}]}`)
    expect(() => parseJson(lists(13), 20)).not.toThrow()
    expect(() => parseJson(lists(40), 20)).toThrow('The body has more than 20 list items.')
    const numbers = Buffer.from(`[${'0,'.repeat(1_000_000)}0]`)
    expect(() => parseJson(numbers, 131_072)).toThrow('The body has more than 131072 list items.')
  })

  test('and a batch that is too long is refused before it is read to its end', async () => {
    const { admin } = await world()
    const post = (body: string) =>
      admin.browser.post('/web/v4/leads', body, { 'content-type': 'application/json' })
    const refused = {
      status: 400,
      body: {
        'validation-errors': [
          {
            request_id: '0',
            errors: [
              {
                code: 'TooMany',
                path: '',
                detail: 'This collection should contain 250 elements or less.',
              },
            ],
          },
        ],
      },
    }
    expect(await post(`[${'{"name":"A"},'.repeat(250)}{"name":"A"}]`)).toMatchObject(refused)
    expect(await post(`[${'{"name":"A"},'.repeat(250)} this is no JSON`)).toMatchObject(refused)
    // Only the items of the batch count, not their contents.
    const tags = Array.from({ length: 200 }, (_, i) => ({ name: `t${i}` }))
    expect((await post(JSON.stringify(Array(2).fill({ _embedded: { tags } })))).status).toBe(200)
  })

  onEmbedded('with 250 leads of 40 values, but not with too many members', async () => {
    const { admin } = await world()
    const { browser } = admin
    const drafts = Array.from({ length: 40 }, (_, i) => ({ name: `Field ${i}`, type: 'numeric' }))
    const made = await browser.post('/web/v4/leads/custom_fields', drafts)
    const custom_fields_values = made.body._embedded.custom_fields.map(({ id }: { id: number }) => ({
      field_id: id,
      values: [{ value: 1 }],
    }))
    const batch = Array(250).fill({ name: 'Roof', custom_fields_values })
    expect((await browser.post('/web/v4/leads', batch)).status).toBe(200)
    const tooMany = `[${Array(14).fill(members(10_000)).join()}]`
    const answer = await browser.post('/web/v4/leads', tooMany, { 'content-type': 'application/json' })
    expect([answer.status, answer.body.detail]).toEqual([400, 'The body has more than 131072 members.'])
  })

  test('up to the limit of bytes, and not above it', async () => {
    const here = await world()
    const whole = (bytes: number) => `{"name":"A"${' '.repeat(bytes - 12)}}`
    expect((await written(here, whole(65_536))).status).toBe(201)
    expect(await written(here, whole(65_537))).toEqual({
      status: 413,
      body: {
        title: 'Payload Too Large',
        type: 'http://demo.localhost:8080/docs/errors#too_large',
        status: 413,
        detail: 'Request body is too large',
      },
      stored: ['A'],
    })
  })

  test('with a JSON content type only', async () => {
    const here = await world()
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'nonsense',
    ]) {
      const { status, body, stored } = await written(here, '{"name":"A"}', type)
      expect([type, status, body.title, stored]).toEqual([type, 400, 'Bad Request', []])
    }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON'])
      expect([type, (await written(here, '{"name":"A"}', type)).status]).toEqual([type, 201])
  })
})
