import type { Mistake, MistakeId } from './mistake-types.ts'
import { type Algorithm, type Construction, lengths, type RecipeId, recipes } from './recipes.ts'

/** A secret with which something could have been signed. */
export interface KnownSecret {
  secret: string
  /** Whose it is: the name of a channel, webhook or integration, and its id. */
  owner: { kind: 'channel' | 'webhook' | 'integration'; id: string; name: string }
  /** null: it is a right one. */
  mistake: Mistake | null
}

/** A key of a signature, with the mistakes that made it. */
export interface Key {
  bytes: Buffer
  owner: KnownSecret['owner']
  mistakes: readonly Mistake[]
}

interface KeyMistake {
  id: MistakeId
  keysOf(secret: string): readonly [key: string | Buffer, detail?: string][]
}

const HEX = /^(?:[0-9a-f]{2})+$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2,3}={0,2})?$/
const PREFIX = 'whsec_'

/** The mistakes in the spelling of a secret. */
const keyMistakes: readonly KeyMistake[] = [
  {
    id: 'secret_whitespace',
    keysOf: (secret) => [[`${secret}\n`], [`${secret}\r\n`], [`${secret} `], [` ${secret}`], [`${secret}\t`]],
  },
  { id: 'secret_quotes', keysOf: (secret) => [[`"${secret}"`], [`'${secret}'`]] },
  { id: 'secret_case', keysOf: (secret) => [[secret.toUpperCase()]] },
  {
    id: 'secret_decoded',
    keysOf: (secret) => [
      ...(HEX.test(secret) ? [[Buffer.from(secret, 'hex'), 'from hex'] as [Buffer, string]] : []),
      ...(BASE64.test(secret) ? [[Buffer.from(secret, 'base64'), 'from base64'] as [Buffer, string]] : []),
      ...(secret.startsWith(PREFIX) ? decodedSecrets(secret.slice(PREFIX.length)) : []),
    ],
  },
  {
    id: 'secret_encoded',
    keysOf: (secret) => [
      [Buffer.from(secret).toString('base64'), 'in base64'],
      [Buffer.from(secret).toString('hex'), 'in hex'],
    ],
  },
]

const decodedSecrets = (secret: string): [string | Buffer, string][] => [
  [secret, `the text after ${PREFIX}`],
  [Buffer.from(secret, 'base64'), `the bytes after ${PREFIX}`],
]

/** The right key of a secret: of Standard Webhooks, it is what follows the prefix, decoded. */
const keyOf = (recipe: RecipeId, secret: string): Buffer =>
  recipe === 'webhook_standard' && secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret)

/** All keys of these secrets, by the number of their mistakes: none, one or two. */
export function keysOf(recipe: RecipeId, secrets: readonly KnownSecret[]): [Key[], Key[], Key[]] {
  const keys: [Key[], Key[], Key[]] = [[], [], []]
  for (const { secret, owner, mistake } of secrets) {
    const own = mistake ? [mistake] : []
    const right = { bytes: keyOf(recipe, secret), owner, mistakes: own }
    keys[own.length as 0 | 1].push(right)
    for (const { id, keysOf: spellings } of keyMistakes)
      for (const [key, detail = null] of spellings(secret)) {
        const bytes = Buffer.from(key)
        if (bytes.length > 0 && !bytes.equals(right.bytes))
          keys[(own.length + 1) as 1 | 2].push({ bytes, owner, mistakes: [...own, { id, detail }] })
      }
  }
  return keys
}

/** A way of making a signature of a key and a text. */
export interface Hash {
  algorithm: Algorithm
  construction: Construction
  mistakes: readonly Mistake[]
}

const names: Record<Algorithm, string> = { sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512', md5: 'MD5' }

const constructions: readonly [Construction, Mistake | null][] = [
  ['hmac', null],
  ['swapped', { id: 'swapped', detail: null }],
  ['key_first', { id: 'not_hmac', detail: 'the secret and the text' }],
  ['key_last', { id: 'not_hmac', detail: 'the text and the secret' }],
  ['no_key', { id: 'not_hmac', detail: 'the text' }],
]

/** The hashes whose signatures have one of these lengths, by the number of their mistakes. */
export function hashesOf(recipe: RecipeId, bytes: ReadonlySet<number>): [Hash[], Hash[], Hash[]] {
  const hashes: [Hash[], Hash[], Hash[]] = [[], [], []]
  for (const algorithm of Object.keys(lengths) as Algorithm[]) {
    if (!bytes.has(lengths[algorithm])) continue
    const other: Mistake[] =
      algorithm === recipes[recipe].algorithm ? [] : [{ id: 'other_algorithm', detail: names[algorithm] }]
    for (const [construction, mistake] of constructions) {
      const all = mistake ? [...other, mistake] : other
      hashes[all.length as 0 | 1 | 2].push({ algorithm, construction, mistakes: all })
    }
  }
  return hashes
}
