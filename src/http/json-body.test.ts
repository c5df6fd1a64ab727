import { describe, expect, test } from 'vitest'
import { type World, world } from '../../test/world.ts'
import { membersWithin, parseJson } from './json-body.ts'

/** Sends the bytes as the body of a new group, and answers what was said and what is stored. */
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

describe('A JSON body is read as it was meant, or not at all', () => {
  const refusals: Record<string, [string | Buffer, string]> = {
    'no bytes': ['', 'Request data can not be empty'],
    'spaces alone': [' \r\n\t', 'Request data can not be empty'],
    'a mark of byte order alone': ['\ufeff', 'Request data can not be empty'],
    'half a document': ['{"name":"A"', 'The body is not valid JSON.'],
    'two documents': ['{"name":"A"}{}', 'The body is not valid JSON.'],
    'single quotes': [`{'name':'A'}`, 'The body is not valid JSON.'],
    'a comma too many': ['{"name":"A",}', 'The body is not valid JSON.'],
    'a comment': ['{"name":"A"/* */}', 'The body is not valid JSON.'],
    NaN: ['{"name":"A","x":NaN}', 'The body is not valid JSON.'],
    'a raw line break in a text': ['{"name":"A\nB"}', 'The body is not valid JSON.'],
    'an escape that is none': ['{"name":"\\x41"}', 'The body is not valid JSON.'],
    __proto__: ['{"name":"A","__proto__":{"polluted":1}}', 'The body is not valid JSON.'],
    'an escaped __proto__': ['{"name":"A","\\u005f_proto__":{"polluted":1}}', 'The body is not valid JSON.'],
    'a nested __proto__': ['{"name":"A","x":[{"__proto__":{"polluted":1}}]}', 'The body is not valid JSON.'],
    'the prototype of constructor': [
      '{"name":"A","constructor":{"prototype":{"polluted":1}}}',
      'The body is not valid JSON.',
    ],
    'a member twice': ['{"name":"A","name":"B"}', 'The body names a member twice.'],
    'a member twice in two spellings': ['{"name":"A","n\\u0061me":"B"}', 'The body names a member twice.'],
    'a member twice, deep inside': [
      '{"name":"A","x":[{"y":{"z":1,"z":1}}]}',
      'The body names a member twice.',
    ],
    'a member twice, one of them gone with it': [
      '{"name":"A","x":{"y":1},"x":{}}',
      'The body names a member twice.',
    ],
    'depth 21': [nested(20), 'The body is nested deeper than 20.'],
    'depth of sixty thousand': [nested(30_000), 'The body is nested deeper than 20.'],
    'a number without end': [
      '{"name":"A","x":1e400}',
      'The body holds a number that cannot be kept as it is.',
    ],
    '2^53 + 1': [
      '{"name":"A","x":9007199254740993}',
      'The body holds a number that cannot be kept as it is.',
    ],
    '-2^53 - 1': [
      '{"name":"A","x":[-9007199254740993]}',
      'The body holds a number that cannot be kept as it is.',
    ],
    'half a character': ['{"name":"\\ud800"}', 'The body holds half a character or NUL in a text.'],
    'the other half': ['{"name":"A\\udc00"}', 'The body holds half a character or NUL in a text.'],
    'half a character in a name': [
      '{"name":"A","\\ud800":1}',
      'The body holds half a character or NUL in a text.',
    ],
    NUL: ['{"name":"A\\u0000B"}', 'The body holds half a character or NUL in a text.'],
    'a byte of Latin-1': [Buffer.from('{"name":"Jos\xe9"}', 'latin1'), 'The body is not text in UTF-8.'],
    'UTF-16': [Buffer.from('{"name":"A"}', 'utf16le'), 'The body is not valid JSON.'],
    'an overlong slash': [Buffer.from('{"name":"\xc0\xaf"}', 'latin1'), 'The body is not text in UTF-8.'],
  }

  test('what is none of that is refused, and leaves no trace', async () => {
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

  const accepted: Record<string, [string | Buffer, string]> = {
    'letters of every script': ['{"name":"José Жанна 漢字 👩‍👩‍👧"}', 'José Жанна 漢字 👩‍👩‍👧'],
    'escapes of both halves': ['{"name":"\\ud83d\\ude00"}', '😀'],
    'a mark of byte order before it': ['\ufeff{"name":"A"}', 'A'],
    'quotes and colons in texts': ['{"name":"a\\":{b}[,\\\\"}', 'a":{b}[,\\'],
    'members that mean nothing here': ['{"name":"A","id":7,"constructor":"x","toString":1,"x":null}', 'A'],
    'numbers to the edge': ['{"name":"A","x":[9007199254740991,-9007199254740991,0.1,1e15,-0]}', 'A'],
    'depth 20': [nested(19), 'A'],
    'an object in each of many lists': [`{"name":"A","x":[${'{"a":1},'.repeat(999)}{"a":1}]}`, 'A'],
  }

  test('what is accepted is kept as it was sent', async () => {
    const here = await world()
    const kept: string[] = []
    for (const [what, [payload, name]] of Object.entries(accepted)) {
      kept.push(name)
      const { status, body, stored } = await written(here, payload)
      expect([what, status, body.name, stored]).toEqual([what, 201, name, kept])
    }
  })

  test('of ten thousand members, and not one more', () => {
    expect(Object.keys(parseJson(members(10_000)) as object).length).toBe(10_000)
    expect(() => parseJson(members(10_001))).toThrow('The body has more than 10000 members.')
  })

  test('of more where more bytes are taken: one for each 16 of them', () => {
    expect([0, 65_536, 160_000, 160_016, 2 * 1024 * 1024].map(membersWithin)).toEqual([
      10_000, 10_000, 10_000, 10_001, 131_072,
    ])
    expect(Object.keys(parseJson(members(10_001), 10_001) as object).length).toBe(10_001)
    expect(() => parseJson(members(10_002), 10_001)).toThrow('The body has more than 10001 members.')
  })

  test('a batch of 250 leads with 40 values each is one, and one of too many members is not', async () => {
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
    const answer = await browser.post('/web/v4/leads', members(131_073), {
      'content-type': 'application/json',
    })
    expect([answer.status, answer.body.detail]).toEqual([400, 'The body has more than 131072 members.'])
  })

  test('up to the limit of bytes, and not one more', async () => {
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

  test('of a type that is JSON, and of no other', async () => {
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
