/** Replacements for correct values. */
export const oddValues: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    '',
    ' ',
    'x',
    '0',
    '-1',
    '1',
    'null',
    '__proto__',
    'ж😀',
    '\0',
    'a\0b',
    '\ud800',
    '\u202e',
  ],
  ...['x'.repeat(300), 'ж'.repeat(70_000), "1' or '1'='1", '%', '_', '\\', '<script>', '2026-01-01', '../..'],
  ...[-1, 0, 1, 1.5, -0, 255, 256, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e21, -1e308, 5e-324],
  ...[253_402_300_799, 253_402_300_800, 1e13],
  ...[[], {}, [[]], [null], [{}], [0], ['x'], { a: {} }, { 0: 1 }, { length: 1 }, { toString: 1 }],
  ...[Array(251).fill(0), Array(1_001).fill({}), Array(251).fill('x'), nested(19), nested(25)],
]

function nested(depth: number): unknown {
  return depth === 0 ? 1 : depth % 2 ? [nested(depth - 1)] : { a: nested(depth - 1) }
}

/** Unknown members, and members that every object has. */
const strangers = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'extra',
  '',
  'ж',
  'a.b',
  '0',
  'id',
  'name',
]

/** Columns that callers must not set, and the id of another account. */
export const ANOTHER_ACCOUNT = 2
const columns = {
  account_id: ANOTHER_ACCOUNT,
  is_deleted: 1,
  merged_into: 1,
  token: 'x',
  origin: 'x',
  uuid: 'x',
}

export interface Mutation {
  /** The index of a place and of a mutation, modulo their numbers. */
  at: number
  how: number
  what: number
}

type Place = { holder: Record<string, unknown> | unknown[]; key: string | number }

/** The value with one or several mutations. */
export function mutated(value: unknown, mutations: readonly Mutation[]): unknown {
  const root = [structuredClone(value)]
  for (const { at, how, what } of mutations) {
    const places = placesIn(root)
    const place = places[at % places.length]
    // Everything was removed.
    if (!place) return undefined
    const { holder, key } = place
    const held = (holder as Record<string, unknown>)[key]
    ;(changes[how % changes.length] as Change)(holder as Record<string, unknown>, key, held, what)
  }
  return root[0]
}

type Change = (holder: Record<string, unknown>, key: string | number, held: unknown, what: number) => void

const replace: Change = (holder, key, _held, what) =>
  put(holder, key, structuredClone(oddValues[what % oddValues.length]))
const changes: Change[] = [
  replace,
  replace,
  replace,
  (holder, key) => {
    if (Array.isArray(holder)) holder.splice(key as number, 1)
    else delete holder[key]
  },
  (holder, key, held) => put(holder, key, [held]),
  (holder, key, held) => put(holder, key, { 0: held, value: held }),
  (holder, key, held) => put(holder, key, JSON.stringify(held) ?? ''),
  (holder, key, held, what) => {
    if (isObject(held))
      put(
        held,
        strangers[what % strangers.length] as string,
        structuredClone(oddValues[what % oddValues.length]),
      )
    else put(holder, key, null)
  },
  (_holder, _key, held) => {
    if (Array.isArray(held)) held.push(...structuredClone(held))
  },
  (_holder, _key, held) => {
    if (isObject(held)) Object.assign(held, columns)
  },
]

/** Sets an own member of any name, including `__proto__`. */
const put = (holder: object, key: string | number, value: unknown) =>
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function placesIn(holder: Place['holder']): Place[] {
  const keys = Array.isArray(holder) ? [...holder.keys()].slice(0, 20) : Object.keys(holder)
  return keys.flatMap((key): Place[] => {
    const held = (holder as Record<string, unknown>)[key]
    const inside = typeof held === 'object' && held !== null ? placesIn(held as Place['holder']) : []
    return [{ holder, key }, ...inside]
  })
}

/** Bodies that are not valid JSON, or values that no route expects. `text` is a correct body. */
export const rawBodies: readonly ((text: string) => string | Buffer)[] = [
  (text) => text.slice(0, -1),
  (text) => text + text,
  (text) => `\ufeff${text}`,
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])]),
  () => Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3]), Buffer.from('"}')]),
  (text) => text.replace('{', '{"a":1,"a":2,'),
  (text) => text.replace('{', '{"__proto__":{"id":1},'),
  (text) => text.replace('{', '{"constructor":{"prototype":{"id":1}},'),
  (text) => text.replace(/\d+/, '1e999'),
  (text) => text.replace(/\d+/, '-0'),
  (text) => text.replace(/\d+/, '9007199254740993'),
  (text) => text.replaceAll('"', "'"),
  (text) => `${'['.repeat(30)}${text}${']'.repeat(30)}`,
  () => '['.repeat(20_000),
  () => `{${Array.from({ length: 10_001 }, (_, i) => `"m${i}":1`).join()}}`,
  () => `"${'x'.repeat(70_000)}"`,
  ...[
    '',
    ' ',
    'null',
    'true',
    '0',
    '""',
    '[]',
    '{}',
    '[null]',
    '[[]]',
    '[{}]',
    'NaN',
    'undefined',
    '{',
    'a=1&b=2',
  ].map((text) => () => text),
]

export const contentTypes: readonly (string | undefined)[] = [
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
  ],
  ...[
    'application/json; charset=utf-16',
    'application/json, text/plain',
    'application/hal+json',
    'json',
    '*/*',
    '',
  ],
  undefined,
]

/** Values of headers that operations read. */
export const headerValues: readonly string[] = [
  ...[
    '',
    'x',
    '*',
    '"x"',
    'bytes=0-1',
    'bytes=-5',
    'bytes=5-2',
    'bytes=0-',
    'bytes=999-',
    'bytes=0-1,3-4',
    'bytes=-',
  ],
  ...[
    'bytes=99999999999999999999-',
    '0'.repeat(26),
    'z'.repeat(26),
    '01hqz5t3k0aaaaaaaaaaaaaaaa',
    "' or 1=1",
  ],
]

/** Parts of a path. */
export const pathParts: readonly string[] = [
  ...[
    '0',
    '-1',
    '1',
    '01',
    '1.0',
    '1e3',
    '9007199254740991',
    '9007199254740992',
    '99999999999999999999',
    'abc',
    'null',
  ],
  ...[
    '%00',
    '%20',

    '1%2f2',
    '%ff',
    '%zz',
    '%',
    '%D9%A1',
    '__proto__',
    'constructor',
    'a'.repeat(201),
    "1'",
  ],
  ...['true', '[]', '{}', '1,2', '%F0%9F%98%80', 'links', 'tags', 'custom_fields'],
]

/** Suffixes that change the form of a parameter. */
export const querySuffixes = [
  '',
  '',
  '',
  '[]',
  '[0]',
  '[a]',
  '[from]',
  '[to]',
  '[a][b]',
  '[][]',
  '[__proto__]',
  '[0][0]',
]

/** Values of parameters in an address. */
export const queryValues: readonly string[] = [
  ...[
    '',
    'x',
    '0',
    '1',
    '-1',
    '1.5',
    '1e400',
    '1,2',
    ',',
    '%00',
    '%20',
    '%25',
    '%D9%A1',
    'null',
    'true',
    '[]',
    '%zz',
  ],
  ...[
    '9007199254740991',
    '9007199254740992',
    '99999999999999999999',
    '253402300800',
    'a'.repeat(1_000),
    '__proto__',
  ],
  Array.from({ length: 251 }, (_, i) => i + 1).join(),
]

/** Queries with known and unknown parameters of lists. */
export const queries: readonly string[] = [
  ...[
    'page=-1',
    'page=0',
    'page=1e400',
    'page=1000000',
    'page=1000001',
    'page=x',
    'page[]=1',
    'page=1&page=2',
    'page=',
  ],
  ...['limit=0', 'limit=1', 'limit=250', 'limit=251', 'limit=1.5', 'limit[a]=1', 'limit=9007199254740992'],
  ...[
    'with=x',
    'with[]=contacts',
    'with[a][b]=1',
    'with=',
    'with=,,,',
    'query=',
    'query[]=a',
    'query=%25_',
    'query=%00',
  ],
  ...[
    'position=1',
    'position=2.1.1',
    'position=1.9999999999999999.9999999999999999',
    'position[]=1',
    'page=2&position=2.-1.1',
  ],
  ...[
    'filter=1',
    'filter[]=1',
    'filter[id]=',
    'filter[id]=x',
    'filter[id]=1,2,x',
    'filter[id][a]=1',
    'filter[id][][]=1',
  ],
  ...[
    'filter[__proto__]=1',
    'filter[constructor]=1',
    'filter[id]=1e3',
    'filter[id]=99999999999999999999',
    'filter[name]=',
  ],
  ...[
    'filter[name][a][b]=1',
    'filter[created_at]=x',
    'filter[created_at][from]=-1',
    'filter[created_at][to]=1e9',
  ],
  ...[
    'filter[created_at][from][]=1',
    'filter[updated_at]=1,2,3',
    'filter[statuses]=1',
    'filter[statuses][0]=1',
  ],
  ...[
    'filter[statuses][0][pipeline_id]=1',
    'filter[custom_fields_values]=1',
    'filter[custom_fields_values][1]=a',
  ],
  ...[
    'filter[custom_fields_values][0][from]=1',
    'filter[entity]=lead',
    'filter[entity_id]=',
    'filter[type]=x',
  ],
  ...['filter[value_before]=1', 'filter[value_after][a]=1', 'filter[created_by]=x', 'filter[note_type]=x'],
  ...[
    'order=asc',
    'order[id]=up',
    'order[x]=asc',
    'order[id]=ASC',
    'order[id][]=asc',
    'order[id]=asc&order[updated_at]=desc',
  ],
  ...['a[b][c][d][e][f][g]=1', '&&&', '=', 'a', '%zz=1', 'a=%E0%A4', '__proto__[a]=1', 'toString=1'],
  Array.from({ length: 257 }, (_, i) => `a${i}=1`).join('&'),
  `filter[id]=${Array.from({ length: 251 }, (_, i) => i + 1).join()}`,
]
