import { createHash, createHmac } from 'node:crypto'
import type { MistakeId } from '../../src/signatures/mistake-types.ts'
import { hmac, type MistakenClient, md5, type Random } from './mistaken-client.ts'

/** A mistake of a client. Two with one dimension exclude each other. */
export interface Planted {
  id: MistakeId
  dimension: string
  /** Only for one of the two recipes. */
  of?: 'older' | 'newer'
  plant(client: MistakenClient, random: Random): void
}

const jsonOf = ({ signedBody }: MistakenClient): unknown => JSON.parse(signedBody.toString())
const rewrite = (client: MistakenClient, change: (text: string) => string) => {
  client.signedBody = Buffer.from(change(client.signedBody.toString()))
}

/** Python's json.dumps, without escapes. */
function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}: ${python(member)}`)
    .join(', ')}}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}

const oneOf = <T>(random: Random, all: readonly T[]): T => all[random(all.length)] as T
const isoOf = (date: string): string => new Date(date).toISOString()

const escaped = (text: string, signs: RegExp): string =>
  text.replace(signs, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

const ofBody: Planted[] = [
  {
    id: 'json_spacing',
    dimension: 'spacing',
    plant: (client, random) =>
      rewrite(client, (text) =>
        oneOf(random, [
          () => python(JSON.parse(text)),
          () => JSON.stringify(JSON.parse(text), null, 2),
          () => JSON.stringify(JSON.parse(text), null, 4),
          () => JSON.stringify(JSON.parse(text), null, '\t'),
        ])(),
      ),
  },
  {
    id: 'json_members',
    dimension: 'members',
    plant: (client) => rewrite(client, () => JSON.stringify(sorted(jsonOf(client)))),
  },
  {
    id: 'json_slashes',
    dimension: 'slashes',
    plant: (client) => rewrite(client, (text) => text.replaceAll('/', '\\/')),
  },
  {
    id: 'json_unicode',
    dimension: 'unicode',
    plant: (client) => rewrite(client, (text) => escaped(text, /[^ -~\n\t]/g)),
  },
  {
    id: 'json_html',
    dimension: 'html',
    plant: (client) => rewrite(client, (text) => escaped(text, /[<>&]/g)),
  },
  {
    id: 'final_newline',
    dimension: 'ending',
    plant: (client, random) => rewrite(client, (text) => text + oneOf(random, ['\n', '\r\n'])),
  },
  {
    id: 'wrong_charset',
    dimension: 'charset',
    plant: (client, random) => {
      const text = client.signedBody.toString()
      client.signedBody = oneOf(random, [
        () => Buffer.from(text, 'utf16le'),
        () => Buffer.from(`\ufeff${text}`),
        () => Buffer.from(Buffer.from(text).toString('latin1')),
      ])()
    },
  },
]

const ofEmpty: Planted[] = [
  {
    id: 'empty_body',
    dimension: 'empty',
    of: 'older',
    plant: (client) => {
      client.signedBody = Buffer.alloc(0)
    },
  },
  {
    id: 'md5_of_nothing',
    dimension: 'empty',
    of: 'newer',
    plant: (client) => {
      client.signedBody = Buffer.alloc(0)
    },
  },
]

const set =
  <K extends keyof MistakenClient>(
    name: K,
    value: (client: MistakenClient, random: Random) => MistakenClient[K],
  ) =>
  (client: MistakenClient, random: Random): void => {
    client[name] = value(client, random)
  }

const ofLines: Planted[] = (
  [
    ['md5_base64', 'digest', set('digest', () => (body) => md5(body).toString('base64'))],
    ['md5_upper_hex', 'digest', set('digest', () => (body) => md5(body).toString('hex').toUpperCase())],
    ['other_digest', 'digest', set('digest', () => (body) => createHash('sha1').update(body).digest('hex'))],
    ['method_case', 'method', set('signedMethod', () => 'post')],
    ['other_method', 'method', set('signedMethod', (_, random) => oneOf(random, ['GET', 'PUT']))],
    [
      'type_parameters',
      'type',
      set('signedType', ({ signedType }) =>
        signedType.includes(';') ? 'application/json' : `${signedType}; charset=UTF-8`,
      ),
    ],
    ['other_type', 'type', set('signedType', (_, random) => oneOf(random, ['', 'text/plain']))],
    [
      'date_format',
      'date',
      set('signedDate', ({ signedDate: date }, random) =>
        oneOf(random, [
          isoOf(date),
          isoOf(date).replace('.000', ''),
          String(Date.parse(date) / 1000),
          date.replace('GMT', '+0000'),
        ]),
      ),
    ],
    [
      'other_second',
      'date',
      set('signedDate', ({ signedDate: date }, random) =>
        new Date(Date.parse(date) + oneOf(random, [-2, -1, 1, 2, 3]) * 1000).toUTCString(),
      ),
    ],
    ['path_part', 'part', set('signedPath', ({ signedPath }) => signedPath.replace('/v2/origin/custom', ''))],
    ['path_leading_slash', 'leading', set('signedPath', ({ signedPath }) => signedPath.slice(1))],
    ['path_trailing_slash', 'trailing', set('signedPath', ({ signedPath }) => `${signedPath}/`)],
    ['joined_by_n', 'separator', set('join', (_, random) => oneOf(random, ['n', '\\n']))],
    ['joined_by_crlf', 'separator', set('join', () => '\r\n')],
    ['other_separator', 'separator', set('join', (_, random) => oneOf(random, ['', ' ', '|', ':', ',']))],
    ['last_newline', 'last', set('last', () => '\n')],
    [
      'part_missing',
      'order',
      set('order', ({ order }, random) => {
        const gone = random(5)
        return order.filter((_, i) => i !== gone)
      }),
    ],
    [
      'other_order',
      'order',
      set('order', ({ order }, random) => {
        const from = random(5)
        const others = order.filter((_, i) => i !== from)
        const to = (from + 1 + random(4)) % 5
        return [...others.slice(0, to), order[from] as 'date', ...others.slice(to)]
      }),
    ],
  ] as const
).map(([id, dimension, plant]) => ({ id, dimension, of: 'newer', plant }))

/** The address is put together from several parts, so these two come after the others. */
const ofAddress: Planted[] = [
  {
    id: 'path_host',
    dimension: 'host',
    of: 'newer',
    plant: (client, random) => {
      client.signedPath = oneOf(random, [`https://${client.host}`, client.host]) + client.signedPath
    },
  },
  {
    id: 'path_query',
    dimension: 'query',
    of: 'newer',
    plant: (client) => {
      client.signedPath += '?x=1'
    },
  },
]

const ofRecipe: Planted[] = [
  {
    id: 'older_recipe',
    dimension: 'recipe',
    of: 'newer',
    plant: (client) => {
      client.isNewer = false
    },
  },
  {
    id: 'newer_recipe',
    dimension: 'recipe',
    of: 'newer',
    plant: (client) => {
      delete client.headers['content-md5']
    },
  },
]

/** The secrets of the world of these clients. */
export const secrets = {
  right: 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718',
  other: 'ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100ffeeddccbbaa9988',
  rotated: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff0011223344556677',
  integration: 'hX2dV9sKqW4mZp7LrT1yBn6CfG8jE3aUoI5xHkM0vSbNtQzYwRcDgJlPeAuOiKxF',
  id: '3d0f5b1c-8a4e-4c6b-9f2d-7e1a0c9b8d56',
}

const ofSecret: Planted[] = (
  [
    ['other_secret', secrets.other],
    ['rotated_secret', secrets.rotated],
    ['integration_secret', secrets.integration],
    ['id_as_secret', secrets.id],
  ] as const
).map(([id, secret]) => ({ id, dimension: 'secret', plant: set('secret', () => secret) }))

const ofSpelling: Planted[] = (
  [
    ['secret_whitespace', ({ secret }, random) => secret + oneOf(random, ['\n', ' ', '\r\n'])],
    ['secret_quotes', ({ secret }) => `"${secret}"`],
    ['secret_case', ({ secret }) => String(secret).toUpperCase()],
    ['secret_encoded', ({ secret }) => Buffer.from(secret as string).toString('base64')],
  ] as [MistakeId, (client: MistakenClient, random: Random) => string][]
).map(([id, change]) => ({ id, dimension: 'spelling', plant: set('secret', change) }))

const ofHash: Planted[] = [
  {
    id: 'other_algorithm',
    dimension: 'algorithm',
    plant: set('hash', (_, random) => hmac(oneOf(random, ['sha256', 'md5', 'sha512']))),
  },
  {
    id: 'swapped',
    dimension: 'construction',
    plant: set('hash', () => (secret, text) => createHmac('sha1', text).update(secret).digest()),
  },
  {
    id: 'not_hmac',
    dimension: 'construction',
    plant: set(
      'hash',
      (_, random) => (secret: string | Buffer, text: Buffer) =>
        oneOf(random, [
          createHash('sha1').update(secret).update(text),
          createHash('sha1').update(text).update(secret),
        ]).digest(),
    ),
  },
]

const ofEncoding: Planted[] = (
  [
    ['upper_hex', (signature) => signature.toString('hex').toUpperCase()],
    ['signature_base64', (signature) => signature.toString('base64')],
    ['base64_of_hex', (signature) => Buffer.from(signature.toString('hex')).toString('base64')],
    ['signature_prefix', (signature) => `sha1=${signature.toString('hex')}`],
    ['signature_surrounded', (signature) => ` "${signature.toString('hex')}"`],
  ] as [MistakeId, (signature: Buffer) => string][]
).map(([id, encode]) => ({ id, dimension: 'encoding', plant: set('encode', () => encode) }))

/** All mistakes, in the order in which a client makes them. */
export const planted: readonly Planted[] = [
  ...ofRecipe,
  ...ofBody,
  ...ofEmpty,
  ...ofLines,
  ...ofAddress,
  ...ofSecret,
  ...ofSpelling,
  ...ofHash,
  ...ofEncoding,
]
