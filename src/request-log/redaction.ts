/**
 * Secrets are never stored (Q2). Each is replaced by its kind and its last four characters: `[client_secret ...k3Zq]`. They are
 * found by the names of headers, members and parameters, and by the prefixes of the server's own tokens.
 */

/** The end of a name whose value is a secret. */
const ENDS = 'secret|passw(?:or)?d|passwd|token|signature|api_?key|private_?key|verifier|user_hash'
/** JSON without any of these has no member that is a secret: a name ends at its quote. */
const MAY_HOLD_MEMBER = /(?:secret|password|passwd|token|signature|key|verifier|hash)\\?["']/i
/** A form without any of these has no such parameter, unless its names are escaped. */
const MAY_HOLD_PARAMETER = /secret|passw|token|signature|key|verifier|hash|code|%/i

/** A member of this name is a secret. */
export const isSecretName = (name: string): boolean => new RegExp(`(?:${ENDS})$`, 'i').test(name)

/** Those of JSON, of the languages of some programs, and of JSON that is a text in other JSON. */
const quotes = ['"', "'", '\\"'] as const
type Quote = (typeof quotes)[number]

/** Texts in each kind of quotes; the last quote is absent if the text is cut. */
const QUOTED: Record<Quote, string> = {
  '"': '"(?:[^"\\\\]|\\\\[^])*"?',
  "'": "'(?:[^'\\\\]|\\\\[^])*'?",
  '\\"': '\\\\"(?:[^"\\\\]|\\\\[^"\\\\]|\\\\\\\\(?:\\\\"|[^]))*(?:\\\\")?',
}
const byQuote = (make: (quote: Quote) => RegExp) =>
  Object.fromEntries(quotes.map((quote) => [quote, make(quote)])) as Record<Quote, RegExp>
/** Members of these names, whose values are texts, numbers, or the bracket that opens an object or a list. */
const membersOf = (names: string, flags: string) =>
  byQuote((quote) => {
    const mark = quote.replace('\\', '\\\\')
    return new RegExp(
      `${mark}(${names})${mark}(\\s*:\\s*)(${QUOTED[quote]}|[{[]|[^\\s"',{}[\\]\\\\]+)`,
      flags,
    )
  })
const MEMBERS = membersOf(`[\\w.-]{0,60}?(?:${ENDS})`, 'gi')
const CODES = membersOf('code', 'g')
/** A name in a form or a query, also any one of a nested name. */
const SECRET_NAME = new RegExp(`(?:${ENDS})\\]?(?:\\[|$)|^(?:code|hash)$`, 'i')
const SECRET_HEADER =
  /^(?:(?:proxy-)?authorization|cookie|set-cookie)$|(?:^|-)(?:signature|token|secret|api-?key|password|hash)$/
/** Tokens of this server, JSON Web Tokens, and the signature in a link to a file. */
const TOKEN = /(pb[a-z])_[\w-]{8,}|eyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g
// Slashes can be escaped.
const FILE_LINK = /(\/download\\*\/\d{1,16}\\*\/[\w-]{1,40}\\*\/[\w-]{1,40}\\*\/\d{1,16}\\*\/)([\w-]{16,})/g
/** A name and a password before the host of an address. */
const PASSWORD_IN_ADDRESS = /(:\\*\/\\*\/[^\s/?#"'\\@:]{0,100}:)([^\s/?#"'\\@]{1,200})(?=@)/g
const PREFIXED = /pb[a-z]_/
/** Letters that are written as escapes could hide a name. */
const ESCAPED_LETTER = /\\u00[2-7]/

const kinds: Record<string, string> = {
  pbr: 'refresh_token',
  pbc: 'code',
  pbs: 'session',
  pbu: 'upload_token',
  pbw: 'password_token',
  pbf: 'setup_token',
  pbh: 'test_helpers_key',
}

/** Only a long secret shows its end: the last four of eight characters would be half of it. */
const SHOWN_FROM = 16
const SHOWABLE = /^[\w.~-]{4}$/

/** The mark that stands in place of a secret. */
export function mark(kind: string, secret: string): string {
  const end = secret.slice(-4)
  return secret.length >= SHOWN_FROM && SHOWABLE.test(end) ? `[${kind} ...${end}]` : `[${kind}]`
}

/** Replaces what looks like a token wherever it stands, and the passwords of addresses. */
export function withoutTokens(text: string): string {
  if (!text.includes('@')) return withoutOwnTokens(text)
  const marked = (_: string, before: string, password: string) => before + mark('password', password)
  return withoutOwnTokens(text.replace(PASSWORD_IN_ADDRESS, marked))
}

/** Most texts have none of three rare pieces. */
function withoutOwnTokens(text: string): string {
  if (!text.includes('yJ') && !text.includes('/download') && !PREFIXED.test(text)) return text
  return text
    .replace(TOKEN, (token, prefix?: string) =>
      mark(prefix ? (kinds[prefix] ?? 'token') : 'access_token', token),
    )
    .replace(FILE_LINK, (_, before: string, signature: string) => before + mark('signature', signature))
}

const NOTHING = /^(?:null|true|false|\\?"\\?"|''|\{\}|\[\])$/
/** Texts and brackets. Programs use both kinds of quotes. */
const PIECES = byQuote((quote) => {
  const texts = quote === "'" ? `${QUOTED['"']}|${QUOTED["'"]}` : QUOTED[quote]
  return new RegExp(`${texts}|[{}[\\]]`, 'g')
})

/** Where the object or the list ends that begins at `start`: at its last bracket, or with the text, which can be cut. */
function endOfNested(text: string, start: number, quote: Quote): number {
  const pieces = PIECES[quote]
  pieces.lastIndex = start
  let depth = 0
  for (let found = pieces.exec(text); found; found = pieces.exec(text)) {
    const [piece] = found
    if (piece === '{' || piece === '[') depth++
    else if ((piece === '}' || piece === ']') && --depth === 0) return pieces.lastIndex
  }
  return text.length
}

/** Replaces the values of the members that `members` finds, each as a whole. */
function withoutValues(text: string, members: RegExp, quote: Quote): string {
  let shown = ''
  let end = 0
  members.lastIndex = 0
  for (let found = members.exec(text); found; found = members.exec(text)) {
    const [member, name, , matched] = found as unknown as [string, string, string, string]
    const start = found.index + member.length - matched.length
    const isNested = matched === '{' || matched === '['
    if (isNested) members.lastIndex = endOfNested(text, start, quote)
    const value = isNested ? text.slice(start, members.lastIndex) : matched
    const secret = value.replace(/^\\?["']|\\?["']$/g, '')
    shown += text.slice(end, start) + (NOTHING.test(value) ? value : quote + mark(name, secret) + quote)
    end = members.lastIndex
  }
  return shown + text.slice(end)
}

function withoutMembers(text: string, hasCodes: boolean): string {
  let shown = text
  for (const quote of quotes) {
    if (!text.includes(quote)) continue
    shown = withoutValues(shown, MEMBERS[quote], quote)
    if (hasCodes) shown = withoutValues(shown, CODES[quote], quote)
  }
  return shown
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** A query, or a form, with its names and without its secrets. */
export function withoutSecretsOfForm(text: string): string {
  if (!MAY_HOLD_PARAMETER.test(text)) return text
  const pairs = text.split('&').map((pair) => {
    const at = pair.indexOf('=')
    const name = at < 0 ? '' : pair.slice(0, at)
    if (!SECRET_NAME.test(name) && !SECRET_NAME.test(decoded(name))) return pair
    const value = pair.slice(at + 1)
    return value === '' ? pair : `${name}=${mark(decoded(name), value)}`
  })
  return pairs.join('&')
}

/** The path and the query of an address, without secrets. */
export function withoutSecretsOfAddress(url: string): { path: string; query: string } {
  const end = url.indexOf('?')
  const query = end < 0 ? '' : withoutTokens(withoutSecretsOfForm(url.slice(end + 1)))
  return { path: withoutTokens(end < 0 ? url : url.slice(0, end)), query }
}

/**
 * A body without its secrets; null if it cannot be searched. Its text decides what it is, because clients send forms as JSON
 * and JSON as forms. At the token endpoint `code` is a secret, elsewhere it is the name of a field.
 */
export function withoutSecretsOfBody(text: string, hasCodes: boolean): string | null {
  const isJson = /^\s*[{["]/.test(text)
  if (isJson && text.includes('\\u00') && ESCAPED_LETTER.test(text)) return rewritten(text, hasCodes)
  const shown = isJson ? text : withoutSecretsOfForm(text)
  return hasCodes || MAY_HOLD_MEMBER.test(shown) ? withoutMembers(shown, hasCodes) : shown
}

/** The same JSON without escapes of letters; null if it is not JSON, for example because it was cut. */
function rewritten(text: string, hasCodes: boolean): string | null {
  try {
    return withoutMembers(JSON.stringify(JSON.parse(text)), hasCodes)
  } catch {
    return null
  }
}

/** Headers as lines, without their secrets. Tokens in other headers are replaced with those of the whole batch. */
export function headerLines(headers: Readonly<Record<string, unknown>>): string {
  let lines = ''
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    const text = typeof value === 'string' ? value : String(value)
    lines += `${name}: ${shownHeader(name, text)}\n`
  }
  return lines
}

/** The value of a header without its secret. */
export const shownHeader = (name: string, text: string): string =>
  isSecretHeader(name) ? headerMark(name, text) : addressless(text)

/** The header in a line. */
export function headerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(': ')
  return [line.slice(0, colon), line.slice(colon + 2)]
}

function addressless(text: string): string {
  // X-Ignored has what was read as a name.
  const named = text.includes('"') && MAY_HOLD_MEMBER.test(text) ? withoutMembers(text, false) : text
  return named.includes('?') ? named.replace(SECRET_IN_ADDRESS, hidden) : named
}

/** Names of headers that have been judged. Callers choose names, so only so many are remembered. */
const judged = new Map<string, boolean>()
const MOST_JUDGED = 500

function isSecretHeader(name: string): boolean {
  let isSecret = judged.get(name)
  if (isSecret === undefined) {
    isSecret = SECRET_HEADER.test(name)
    if (judged.size < MOST_JUDGED) judged.set(name, isSecret)
  }
  return isSecret
}

/** A parameter in the address of a header, such as `Location` or `Referer`. */
const SECRET_IN_ADDRESS = new RegExp(
  `([?&](?:[\\w.[\\]%-]{0,60}?(?:${ENDS})|code|hash)=)([^&"\\\\\\s#]+)`,
  'gi',
)
const hidden = (_: string, name: string, value: string) => name + mark(name.slice(1, -1), value)

function headerMark(name: string, value: string): string {
  const space = value.indexOf(' ')
  const scheme = value.slice(0, Math.max(space, 0))
  const rest = value.slice(space + 1).trim()
  if (/^bearer$/i.test(scheme)) return `${scheme} ${mark('access_token', rest)}`
  if (!/^basic$/i.test(scheme)) return mark(name, value)
  const password = Buffer.from(rest, 'base64').toString().split(':').slice(1).join(':')
  return `${scheme} ${mark('client_secret', password)}`
}
