import { isUtf8 } from 'node:buffer'
import { createHash, createHmac } from 'node:crypto'
import { type Charset, inCharset } from './charsets.ts'
import { inStyle, type JsonStyle, type JsonText, readJsonText } from './json-text.ts'

/** The ways in which this server and its providers sign. */
export const recipes = {
  chat_body: { fields: ['body'], separator: '', algorithm: 'sha1', encoding: 'hex' },
  chat_lines: {
    fields: ['method', 'digest', 'type', 'date', 'path'],
    separator: '\n',
    algorithm: 'sha1',
    encoding: 'hex',
  },
  webhook: { fields: ['body'], separator: '', algorithm: 'sha256', encoding: 'hex' },
  webhook_standard: {
    fields: ['id', 'timestamp', 'body'],
    separator: '.',
    algorithm: 'sha256',
    encoding: 'base64',
  },
  disable_hook: {
    fields: ['client_uuid', 'account_id'],
    separator: '|',
    algorithm: 'sha256',
    encoding: 'hex',
  },
} as const satisfies Record<string, Recipe>

export type RecipeId = keyof typeof recipes

interface Recipe {
  fields: readonly Field[]
  separator: string
  algorithm: Algorithm
  encoding: 'hex' | 'base64'
}

export type Algorithm = 'sha1' | 'sha256' | 'sha512' | 'md5'
/** The length of a digest in bytes. */
export const lengths: Record<Algorithm, number> = { sha1: 20, sha256: 32, sha512: 64, md5: 16 }

export type Field =
  | 'body'
  | 'method'
  | 'digest'
  | 'type'
  | 'date'
  | 'path'
  | 'id'
  | 'timestamp'
  | 'client_uuid'
  | 'account_id'

/** The signed text of a request, before any mistake. */
export interface SignedParts {
  body: Buffer
  method: string
  /** The value of `Content-MD5`; null: the MD5 of the body is computed. */
  digest: string | null
  type: string
  date: string
  /** Without host and query. */
  path: string
  host: string
  /** With its question mark; empty if there is none. */
  query: string
  id: string
  timestamp: string
  client_uuid: string
  account_id: string
}

/** Everything about the signed text that a mistake can change. */
export interface TextSettings extends JsonStyle {
  recipe: RecipeId
  fields: readonly Field[]
  separator: string
  /** Another text in the place of a field. */
  values: Partial<Record<Field, string>>
  /** The texts in front of the path and behind it. */
  host: string
  query: string
  /** The character set of a body that is not UTF-8. */
  decoded?: 'windows-1252' | 'windows-1251'
  charset?: Charset
  line_ends?: 'lf' | 'crlf'
  ending?: '\n' | '\r\n' | 'trimmed'
  /** Nothing is signed or digested in the place of the body. */
  is_empty?: true
  digest?: DigestForm
  /** The text that follows the last line. */
  last?: string
}

export type DigestForm = keyof typeof digests

const hash = (algorithm: Algorithm, bytes: Buffer) => createHash(algorithm).update(bytes)

/** How the digest of a body can be written. `md5_hex` is right. */
const digests = {
  md5_hex: (body: Buffer) => hash('md5', body).digest('hex'),
  md5_upper: (body: Buffer) => hash('md5', body).digest('hex').toUpperCase(),
  md5_base64: (body: Buffer) => hash('md5', body).digest('base64'),
  md5_hex_base64: (body: Buffer) => Buffer.from(hash('md5', body).digest('hex')).toString('base64'),
  sha1_hex: (body: Buffer) => hash('sha1', body).digest('hex'),
  sha256_hex: (body: Buffer) => hash('sha256', body).digest('hex'),
} as const

/** The settings of a recipe without a mistake. */
export const settingsOf = (recipe: RecipeId): TextSettings => ({
  recipe,
  fields: recipes[recipe].fields,
  separator: recipes[recipe].separator,
  values: {},
  host: '',
  query: '',
})

/** Writes signed texts of one request. Its body is read once, however many texts are written. */
export class TextWriter {
  readonly parts: SignedParts
  /** The bytes of bodies that were written or digested. */
  worked = 0
  readonly #digests = new Map<string, string>()
  readonly #json = new Map<string | undefined, JsonText | undefined>()

  constructor(parts: SignedParts) {
    this.parts = parts
  }

  /** The signed text; undefined if the settings do not apply to the body. */
  write(settings: TextSettings): Buffer | string | undefined {
    const { fields, separator, last = '' } = settings
    if (fields.length === 1 && fields[0] === 'body' && last === '') return this.bodyIn(settings)
    if (fields.includes('body')) return this.#joinedBytes(settings)
    let text = ''
    for (let i = 0; i < fields.length; i++) {
      const value = this.#valueOf(fields[i] as Field, settings)
      if (value === undefined) return undefined
      text += i === 0 ? value : separator + value
    }
    return text + last
  }

  #joinedBytes(settings: TextSettings): Buffer | undefined {
    const { fields, separator, last = '' } = settings
    const pieces: Buffer[] = []
    for (const field of fields) {
      const value = field === 'body' ? this.bodyIn(settings) : this.#valueOf(field, settings)
      if (value === undefined) return undefined
      if (pieces.length > 0) pieces.push(Buffer.from(separator))
      pieces.push(Buffer.from(value))
    }
    return Buffer.concat([...pieces, Buffer.from(last)])
  }

  /** The body, as the settings write it. */
  bodyIn(settings: Partial<TextSettings>): Buffer | undefined {
    const { is_empty, decoded, charset, line_ends, ending } = settings
    if (is_empty) return Buffer.alloc(0)
    const { body } = this.parts
    const isRewritten = STYLES.some((name) => settings[name] !== undefined)
    this.worked += body.length
    if (!isRewritten && !decoded && !charset && !line_ends && !ending) return body
    const read = this.#read(decoded)
    if (read === undefined) return undefined
    let text = read
    if (isRewritten) {
      const json = this.#jsonOf(decoded, read)
      const styled = json && inStyle(json, settings)
      if (styled === undefined) return undefined
      text = styled
      this.worked += text.length
    }
    if (line_ends === 'lf') text = text.replaceAll('\r\n', '\n')
    if (line_ends === 'crlf') text = text.replace(/\r?\n/g, '\r\n')
    if (ending === 'trimmed') text = text.trim()
    else if (ending) text += ending
    return charset ? inCharset(text, charset) : Buffer.from(text)
  }

  /** The digest of the body, as the settings write it. */
  digestIn(settings: Partial<TextSettings>): string | undefined {
    const { digest = 'md5_hex' } = settings
    const name = [digest, ...OF_BODY.map((one) => settings[one] ?? '')].join()
    const known = this.#digests.get(name)
    if (known !== undefined) return known
    const body = this.bodyIn(settings)
    if (body === undefined) return undefined
    this.worked += body.length
    const value = digests[digest](body)
    this.#digests.set(name, value)
    return value
  }

  /** A part that is a text. */
  #valueOf(field: Field, settings: TextSettings): string | undefined {
    const value = settings.values[field]
    if (field === 'path') return settings.host + (value ?? this.parts.path) + settings.query
    if (value !== undefined) return value
    if (field !== 'digest') return field === 'body' ? undefined : this.parts[field]
    const isComputed = this.parts.digest === null || settings.digest !== undefined || isOtherBody(settings)
    return isComputed ? this.digestIn(settings) : (this.parts.digest as string)
  }

  #read(decoded: TextSettings['decoded']): string | undefined {
    const { body } = this.parts
    if (decoded) return isUtf8(body) ? undefined : new TextDecoder(decoded).decode(body)
    return isUtf8(body) ? body.toString() : undefined
  }

  #jsonOf(decoded: TextSettings['decoded'], text: string): JsonText | undefined {
    if (!this.#json.has(decoded)) this.#json.set(decoded, readJsonText(text))
    return this.#json.get(decoded)
  }
}

const STYLES = ['spacing', 'slashes', 'unicode', 'html', 'members'] as const
const OF_BODY = [...STYLES, 'decoded', 'charset', 'line_ends', 'ending', 'is_empty'] as const

const isOtherBody = (settings: Partial<TextSettings>): boolean =>
  OF_BODY.some((name) => settings[name] !== undefined)

/** How the key and the text become a digest. */
export type Construction = 'hmac' | 'swapped' | 'key_first' | 'key_last' | 'no_key'

const constructions: Record<
  Construction,
  (algorithm: Algorithm, key: Buffer, text: Buffer | string) => Buffer
> = {
  hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest(),
  swapped: (algorithm, key, text) => createHmac(algorithm, text).update(key).digest(),
  key_first: (algorithm, key, text) => createHash(algorithm).update(key).update(text).digest(),
  key_last: (algorithm, key, text) => createHash(algorithm).update(text).update(key).digest(),
  no_key: (algorithm, _key, text) => createHash(algorithm).update(text).digest(),
}

/** The signature before it is encoded. */
export const signatureBytes = (
  { algorithm, construction }: { algorithm: Algorithm; construction: Construction },
  key: Buffer,
  text: Buffer | string,
): Buffer => constructions[construction](algorithm, key, text)
