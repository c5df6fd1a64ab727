import type { Charset } from './charsets.ts'
import { otherForms, otherSeconds } from './dates.ts'
import { spacings } from './json-text.ts'
import type { MistakeId } from './mistake-types.ts'
import {
  type DigestForm,
  type Field,
  type RecipeId,
  recipes,
  type SignedParts,
  settingsOf,
  type TextSettings,
} from './recipes.ts'

/** A way of making a mistake: what it changes of the signed text. */
export interface Variant {
  change: Partial<TextSettings>
  detail?: string
}

/** A mistake in the signed text. Two rows with one dimension exclude each other. */
export interface TextMistake {
  id: MistakeId
  dimension: string
  /** The parts of which one must be signed. */
  of: readonly Field[]
  /** It has so many variants that it is not combined with others. */
  is_alone?: true
  variants(settings: TextSettings, parts: SignedParts): readonly Variant[]
}

const changes = (...all: Partial<TextSettings>[]) => {
  const variants = all.map((change) => ({ change }))
  return () => variants
}

/** The body is signed itself, or by its digest. */
const BODY: readonly Field[] = ['body', 'digest']

const charsets: Record<Charset, string> = {
  'windows-1251': 'Windows-1251',
  latin1: 'Latin-1',
  'windows-1252': 'Windows-1252',
  'utf-16le': 'UTF-16',
  'utf-8-bom': 'UTF-8 with a byte order mark',
  twice: 'UTF-8 that was encoded twice',
}

const otherDigests: readonly { form: DigestForm; detail: string }[] = [
  { form: 'sha1_hex', detail: 'its SHA-1' },
  { form: 'sha256_hex', detail: 'its SHA-256' },
  { form: 'md5_hex_base64', detail: 'its MD5 in hex, encoded in base64' },
]

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json;charset=UTF-8',
]
const OTHER_TYPES = [
  '',
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'null',
  'None',
]

const typeName = (type: string): string => (type.split(';', 1)[0] as string).trim().toLowerCase()

/** Clients with fixed hosts sign these, wherever they send to. */
const HOSTS = ['https://amojo.amocrm.ru', 'https://amojo.amocrm.com', 'https://amojo.kommo.com']

const SEPARATORS: readonly [separator: string, detail: string][] = [
  ['', 'nothing'],
  [' ', 'a space'],
  ['|', '|'],
  [':', 'a colon'],
  [',', 'a comma'],
  [';', 'a semicolon'],
  ['&', '&'],
  ['.', 'a full stop'],
]

/** Paths below which clients take the path by mistake. */
const PARTS_OF_PATHS = ['/v2', '/v2/origin', '/v2/origin/custom']

const other: Partial<Record<RecipeId, [RecipeId, MistakeId]>> = {
  chat_body: ['chat_lines', 'newer_recipe'],
  chat_lines: ['chat_body', 'older_recipe'],
}

function otherRecipe(id: MistakeId): TextMistake['variants'] {
  return ({ recipe }) => {
    const [to, mistake] = other[recipe] ?? []
    if (!to || mistake !== id) return []
    const { fields, separator } = settingsOf(to)
    return [{ change: { recipe: to, fields, separator } }]
  }
}

const values = (
  settings: TextSettings,
  field: Field,
  texts: readonly string[],
  name = (text: string) => text || 'nothing',
): Variant[] =>
  texts.map((text) => ({
    change: { values: { ...settings.values, [field]: text } },
    detail: name(text),
  }))

function permutations(fields: readonly Field[]): (readonly Field[])[] {
  if (fields.length < 2) return [fields]
  return fields.flatMap((first) =>
    permutations(fields.filter((field) => field !== first)).map((rest) => [first, ...rest]),
  )
}

/** The orders in which one part is in another place, two are swapped, or all are reversed. */
function likelyOrders(fields: readonly Field[]): (readonly Field[])[] {
  const orders: (readonly Field[])[] = [fields.toReversed()]
  for (let from = 0; from < fields.length; from++)
    for (let to = 0; to < fields.length; to++) {
      const [moved, other] = [fields[from] as Field, fields[to] as Field]
      orders.push(fields.toSpliced(from, 1).toSpliced(to, 0, moved))
      if (from < to) orders.push(fields.with(from, other).with(to, moved))
    }
  return orders
}

const orders = new Map<string, (readonly Field[])[]>()

/** Other orders of the parts, each once. They are computed once. */
function otherOrders(fields: readonly Field[], all: typeof permutations): (readonly Field[])[] {
  const name = [all.name, ...fields].join(' ')
  const known =
    orders.get(name) ??
    [...new Map(all(fields).map((order) => [order.join(), order])).values()].filter(
      (order) => order.join() !== fields.join(),
    )
  orders.set(name, known)
  return known
}

const inOrder =
  (all: typeof permutations): TextMistake['variants'] =>
  ({ fields }) =>
    otherOrders(fields, all).map((order) => ({ change: { fields: order }, detail: order.join(', ') }))

const pathOf = ({ values: { path } }: TextSettings, parts: SignedParts): string => path ?? parts.path

/**
 * The mistakes in a signed text, in the order in which they are applied to it. Likely ones first, as far as that allows it:
 * of several explanations of one signature, the first is named.
 */
export const textMistakes: readonly TextMistake[] = [
  { id: 'older_recipe', dimension: 'recipe', of: ['digest'], variants: otherRecipe('older_recipe') },
  { id: 'newer_recipe', dimension: 'recipe', of: ['body'], variants: otherRecipe('newer_recipe') },
  {
    id: 'json_spacing',
    dimension: 'spacing',
    of: BODY,
    variants: changes(...spacings.map((spacing) => ({ spacing }))),
  },
  {
    id: 'json_slashes',
    dimension: 'slashes',
    of: BODY,
    variants: changes({ slashes: 'escaped' }, { slashes: 'plain' }),
  },
  {
    id: 'json_unicode',
    dimension: 'unicode',
    of: BODY,
    variants: changes({ unicode: 'escaped' }, { unicode: 'plain' }),
  },
  { id: 'json_html', dimension: 'html', of: BODY, variants: changes({ html: 'escaped' }, { html: 'plain' }) },
  {
    id: 'json_members',
    dimension: 'members',
    of: BODY,
    variants: changes({ members: 'sorted' }, { members: 'reversed' }),
  },
  {
    id: 'sent_charset',
    dimension: 'decoded',
    of: BODY,
    variants: () => [
      { change: { decoded: 'windows-1251' }, detail: charsets['windows-1251'] },
      { change: { decoded: 'windows-1252' }, detail: 'Latin-1' },
    ],
  },
  {
    id: 'line_ends',
    dimension: 'line ends',
    of: BODY,
    variants: changes({ line_ends: 'lf' }, { line_ends: 'crlf' }),
  },
  {
    id: 'final_newline',
    dimension: 'ending',
    of: BODY,
    variants: changes({ ending: '\n' }, { ending: '\r\n' }),
  },
  { id: 'trimmed', dimension: 'ending', of: BODY, variants: changes({ ending: 'trimmed' }) },
  {
    id: 'wrong_charset',
    dimension: 'charset',
    of: BODY,
    variants: () =>
      Object.entries(charsets).map(([charset, detail]) => ({
        change: { charset: charset as Charset },
        detail,
      })),
  },
  { id: 'empty_body', dimension: 'empty', of: ['body'], variants: changes({ is_empty: true }) },
  { id: 'md5_of_nothing', dimension: 'empty', of: ['digest'], variants: changes({ is_empty: true }) },
  { id: 'md5_base64', dimension: 'digest', of: ['digest'], variants: changes({ digest: 'md5_base64' }) },
  { id: 'md5_upper_hex', dimension: 'digest', of: ['digest'], variants: changes({ digest: 'md5_upper' }) },
  {
    id: 'other_digest',
    dimension: 'digest',
    of: ['digest'],
    variants: () => otherDigests.map(({ form, detail }) => ({ change: { digest: form }, detail })),
  },
  {
    id: 'method_case',
    dimension: 'method',
    of: ['method'],
    variants: (settings, { method }) => values(settings, 'method', [method.toLowerCase()]),
  },
  {
    id: 'other_method',
    dimension: 'method',
    of: ['method'],
    variants: (settings, { method }) =>
      values(
        settings,
        'method',
        METHODS.filter((one) => one !== method),
      ),
  },
  {
    id: 'type_parameters',
    dimension: 'type',
    of: ['type'],
    variants: (settings, { type }) =>
      values(
        settings,
        'type',
        [type.split(';', 1)[0] as string, ...TYPES].filter(
          (one) => one !== type && typeName(one) === typeName(type),
        ),
      ),
  },
  {
    id: 'other_type',
    dimension: 'type',
    of: ['type'],
    variants: (settings, { type }) =>
      values(
        settings,
        'type',
        OTHER_TYPES.filter((one) => typeName(one) !== typeName(type)),
      ),
  },
  {
    id: 'date_format',
    dimension: 'date',
    of: ['date'],
    variants: (settings, { date }) => values(settings, 'date', otherForms(date)),
  },
  {
    id: 'other_second',
    dimension: 'date',
    of: ['date'],
    variants: (settings, { date }) => values(settings, 'date', otherSeconds(date)),
  },
  {
    id: 'path_part',
    dimension: 'part of the path',
    of: ['path'],
    variants: (settings, parts) =>
      values(
        settings,
        'path',
        PARTS_OF_PATHS.filter((start) => pathOf(settings, parts).startsWith(`${start}/`)).map((start) =>
          pathOf(settings, parts).slice(start.length),
        ),
      ),
  },
  {
    id: 'path_leading_slash',
    dimension: 'leading slash',
    of: ['path'],
    variants: (settings, parts) => values(settings, 'path', [pathOf(settings, parts).replace(/^\//, '')]),
  },
  {
    id: 'path_trailing_slash',
    dimension: 'trailing slash',
    of: ['path'],
    variants: (settings, parts) => {
      const path = pathOf(settings, parts)
      return values(settings, 'path', [path.endsWith('/') ? path.slice(0, -1) : `${path}/`])
    },
  },
  {
    id: 'path_host',
    dimension: 'host',
    of: ['path'],
    variants: (_settings, { host }) =>
      [...new Set([host, host.split(':', 1)[0] as string])]
        .filter((one) => one !== '')
        .flatMap((one) => [`https://${one}`, `http://${one}`, one])
        .concat(HOSTS)
        .map((one) => ({ change: { host: one } })),
  },
  {
    id: 'path_query',
    dimension: 'query',
    of: ['path'],
    variants: (_settings, { query }) => (query === '' ? [] : [{ change: { query } }]),
  },
  {
    id: 'joined_by_n',
    dimension: 'separator',
    of: ['digest'],
    variants: () => [
      { change: { separator: 'n' }, detail: 'the letter n' },
      { change: { separator: '\\n' }, detail: 'a backslash and the letter n' },
    ],
  },
  { id: 'joined_by_crlf', dimension: 'separator', of: ['digest'], variants: changes({ separator: '\r\n' }) },
  {
    id: 'other_separator',
    dimension: 'separator',
    of: ['digest', 'id', 'client_uuid'],
    variants: ({ recipe }) =>
      SEPARATORS.filter(([separator]) => separator !== recipes[recipe].separator).map(
        ([separator, detail]) => ({ change: { separator }, detail }),
      ),
  },
  {
    id: 'last_newline',
    dimension: 'last',
    of: ['digest', 'id', 'client_uuid'],
    variants: changes({ last: '\n' }, { last: '\r\n' }),
  },
  {
    id: 'part_missing',
    dimension: 'order',
    of: ['digest', 'id', 'client_uuid'],
    variants: ({ fields }) =>
      fields.map((gone) => ({ change: { fields: fields.filter((field) => field !== gone) }, detail: gone })),
  },
  {
    id: 'other_order',
    dimension: 'order',
    of: ['digest', 'id', 'client_uuid'],
    variants: inOrder(likelyOrders),
  },
  {
    id: 'other_order',
    dimension: 'order',
    of: ['digest', 'id', 'client_uuid'],
    is_alone: true,
    variants: inOrder(permutations),
  },
]
