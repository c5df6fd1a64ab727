import { readingsOf } from './encodings.ts'
import { dateFault, digestFaults } from './header-faults.ts'
import type { KnownSecret } from './key-mistakes.ts'
import { type Mistake, sentenceOf } from './mistake-types.ts'
import { type RecipeId, type SignedParts, settingsOf, TextWriter } from './recipes.ts'
import { type Budget, type Explanation, explanationsOf } from './search.ts'

/** A request that may be signed. The names of the headers are in lower case. */
export interface AskedRequest {
  method: string
  /** The path with its query. */
  url: string
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
}

/**
 * The kind of a request: one to the chat API, which has two recipes; one of the server to the provider of a channel or
 * to a webhook; or the call that tells an integration that it was disabled.
 */
export type Subject = 'chat' | 'callback' | 'webhook' | 'disable_hook'

/** The explanation of a signature of a request. */
export interface Finding {
  holds: boolean
  /** The recipe that was meant. */
  recipe: RecipeId
  /** Of the request and its signature, at most a few. */
  mistakes: readonly Mistake[]
  /** Other explanations of the same signature. */
  others: readonly (readonly Mistake[])[]
  /** Whether it is known how the signature was made. */
  is_explained: boolean
  /** Whose secret signed it. */
  owner: KnownSecret['owner'] | null
  /** The text that has to be signed, and the one that was signed, if that is known. */
  expected: Buffer
  signed: Buffer | null
  /** The number of signatures that were computed, and whether all combinations were among them. */
  tried: number
  is_complete: boolean
}

const MOST_OTHERS = 8

/** Explains the signature of a request. `now` is in milliseconds. */
export function explain(
  request: AskedRequest,
  subject: Subject,
  secrets: readonly KnownSecret[],
  now: number,
  budget: Budget,
): Finding {
  const writer = new TextWriter(partsOf(request))
  const recipe = recipeOf(subject, request)
  const faults = recipe === 'chat_lines' ? faultsOf(request, writer, now, budget) : []
  const signature = signatureOf(subject, recipe, request)
  const right = settingsOf(recipe)
  const bases =
    recipe === 'chat_lines' && writer.digestIn(right) !== writer.parts.digest
      ? [right, { ...right, digest: 'md5_hex' as const }]
      : [right]
  const readings = signature === undefined ? [] : readingsOf(recipe, signature)
  const found = explanationsOf({ writer, bases, secrets, readings, budget })
  const expected = Buffer.from(writer.write(bases.at(-1) as (typeof bases)[0]) as Buffer | string)
  const result = findingOf(recipe, faults, found, expected)
  const missing: Mistake[] = signature === undefined ? [{ id: 'signature_missing', detail: null }] : []
  return {
    ...result,
    mistakes: [...missing, ...result.mistakes],
    tried: budget.tried,
    is_complete: !budget.isSpent,
  }
}

function findingOf(
  recipe: RecipeId,
  faults: readonly Mistake[],
  found: readonly Explanation[],
  expected: Buffer,
): Omit<Finding, 'tried' | 'is_complete'> {
  const [first, ...rest] = found
  const isOlder = first?.mistakes.some(({ id }) => id === 'older_recipe')
  // The headers of the newer recipe do not matter to a client that means the older one.
  const own = isOlder ? faults.filter(({ id }) => id === 'bodyless') : faults
  const ofSignature = (first?.mistakes ?? []).filter(({ id }) => id !== 'older_recipe' || own.length === 0)
  const mistakes = unique([...own, ...ofSignature])
  return {
    holds: first !== undefined && mistakes.length === 0,
    recipe: first?.settings.recipe ?? recipe,
    mistakes,
    others: rest
      .map((one) => unique([...own, ...one.mistakes]))
      .filter((one) => namesOf(one) !== namesOf(mistakes))
      .slice(0, MOST_OTHERS),
    is_explained: first !== undefined,
    owner: first?.owner ?? null,
    expected,
    signed: first ? Buffer.from(first.text) : null,
  }
}

const namesOf = (mistakes: readonly Mistake[]): string => mistakes.map(({ id }) => id).join()

const unique = (mistakes: readonly Mistake[]): Mistake[] => [
  ...new Map(mistakes.map((one) => [`${one.id} ${one.detail}`, one])).values(),
]

/** The finding in a sentence or two. */
export function sentencesOf({ holds, mistakes, is_explained, is_complete }: Finding): string {
  if (holds) return 'The signature is right.'
  const said = mistakes.map(sentenceOf)
  if (is_explained || mistakes.some(({ id }) => id === 'signature_missing')) return said.join(' ')
  const unknown = is_complete
    ? 'The signature is not that of the expected text, and no known mistake explains it.'
    : 'The signature is not that of the expected text. Not all mistakes could be tried.'
  return [...said, unknown].join(' ')
}

function recipeOf(subject: Subject, { method, headers, body }: AskedRequest): RecipeId {
  if (subject === 'disable_hook') return 'disable_hook'
  if (subject === 'webhook') return headers['x-signature'] === undefined ? 'webhook_standard' : 'webhook'
  if (subject === 'callback') return 'chat_body'
  const isNewer = headers.date !== undefined && headers['content-md5'] !== undefined
  return isNewer || method === 'GET' || body.length === 0 ? 'chat_lines' : 'chat_body'
}

function faultsOf({ headers }: AskedRequest, writer: TextWriter, now: number, budget: Budget): Mistake[] {
  if (headers.date === undefined && headers['content-md5'] === undefined)
    return [{ id: 'bodyless', detail: null }]
  const date = dateFault(headers.date, now)
  return [...(date ? [date] : []), ...digestFaults(writer, budget)]
}

function signatureOf(subject: Subject, recipe: RecipeId, { headers, url }: AskedRequest): string | undefined {
  if (subject === 'disable_hook') return parametersOf(url).get('signature') ?? undefined
  const text = headers[recipe === 'webhook_standard' ? 'webhook-signature' : 'x-signature']
  if (text === undefined || text === '') return undefined
  return recipe === 'webhook_standard' ? (text.split(' ', 1)[0] as string).replace(/^v1,/, '') : text
}

const parametersOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?')[1] ?? '')

function partsOf({ method, url, headers, body }: AskedRequest): SignedParts {
  const end = url.indexOf('?')
  const parameters = parametersOf(url)
  return {
    body,
    method,
    digest: headers['content-md5'] ?? null,
    type: headers['content-type'] ?? '',
    date: headers.date ?? '',
    path: end < 0 ? url : url.slice(0, end),
    host: headers.host ?? '',
    query: end < 0 ? '' : url.slice(end),
    id: headers['webhook-id'] ?? '',
    timestamp: headers['webhook-timestamp'] ?? '',
    client_uuid: parameters.get('client_uuid') ?? '',
    account_id: parameters.get('account_id') ?? '',
  }
}

/** The first byte in which two texts differ; null if they are the same. */
export function firstDifference(a: Buffer, b: Buffer): number | null {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return at
  return a.length === b.length ? null : length
}
