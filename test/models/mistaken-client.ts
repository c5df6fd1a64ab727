import { createHash, createHmac } from 'node:crypto'

/** A client of the chat API with mistakes in it. It signs as such clients do, without the code of the server. */
export interface MistakenClient {
  secret: string | Buffer
  method: string
  url: string
  host: string
  /** The body that is sent. */
  body: Buffer
  headers: Record<string, string>
  /** The signed text is the body, or with `isNewer` the lines. */
  isNewer: boolean
  signedBody: Buffer
  digest: (body: Buffer) => string
  signedMethod: string
  signedType: string
  signedDate: string
  signedPath: string
  join: string
  order: ('method' | 'digest' | 'type' | 'date' | 'path')[]
  last: string
  hash: (secret: string | Buffer, text: Buffer) => Buffer
  encode: (signature: Buffer) => string
}

/** Random numbers that repeat with their seed. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

export type Random = ReturnType<typeof randomOf>

const WORDS = [
  'Hello',
  'Привет, как дела?',
  'señal',
  'grüße',
  '<b>Sale</b> & more',
  'a/b/c',
  '“quoted”',
  '😀 ok',
]

/** The value of a push, with everything that programs write in different ways. */
export function pushOf(random: Random): object {
  const word = () => WORDS[random(WORDS.length)] as string
  return {
    event_type: 'new_message',
    payload: {
      timestamp: 1_772_366_000 + random(1_000),
      msgid: `m-${random(1e9)}`,
      conversation_id: `c-${random(1e6)}`,
      sender: { id: `s-${random(1e6)}`, name: `Zoë Ж ${word()}`, avatar: 'https://cdn.example/a.png' },
      message: {
        type: 'text',
        text: `${word()} <i>/</i> & ñ ${word()}`,
        list: [1, 2.5, -3e2, true, null, []],
      },
    },
  }
}

export const md5 = (body: Buffer): Buffer => createHash('md5').update(body).digest()

export const hmac =
  (algorithm: string) =>
  (secret: string | Buffer, text: Buffer): Buffer =>
    createHmac(algorithm, secret).update(text).digest()

/** A client without a mistake. */
export function rightClient(secret: string, scope_id: string, isNewer: boolean, random: Random, now: number) {
  const date = new Date(now - random(600) * 1000).toUTCString()
  const type = random(2) ? 'application/json' : 'application/json; charset=utf-8'
  const body = Buffer.from(JSON.stringify(pushOf(random)))
  const path = `/v2/origin/custom/${scope_id}`
  const client: MistakenClient = {
    ...{ secret, isNewer, body, host: 'hub.example:8080', method: 'POST', url: `${path}?x=1` },
    headers: { 'content-type': type, ...(isNewer && { date, 'content-md5': md5(body).toString('hex') }) },
    signedBody: body,
    digest: (bytes) => md5(bytes).toString('hex'),
    ...{ signedMethod: 'POST', signedType: type, signedDate: date, signedPath: path, join: '\n', last: '' },
    order: ['method', 'digest', 'type', 'date', 'path'],
    hash: hmac('sha1'),
    encode: (signature) => signature.toString('hex'),
  }
  return client
}

export function textOf(client: MistakenClient): Buffer {
  if (!client.isNewer) return client.signedBody
  const lines = {
    method: client.signedMethod,
    digest: client.digest(client.signedBody),
    type: client.signedType,
    date: client.signedDate,
    path: client.signedPath,
  }
  return Buffer.from(client.order.map((name) => lines[name]).join(client.join) + client.last)
}

/** The request as it arrives. */
export function sentBy(client: MistakenClient) {
  const { method, url, host, body, headers, hash, encode, secret } = client
  const signature = encode(hash(secret, textOf(client)))
  return { method, url, body, headers: { host, ...headers, 'x-signature': signature } }
}
