import type { FastifyReply } from 'fastify'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends text that is JSON already, also where a surface declares a more specific type. */
export const asText = (reply: FastifyReply, json: string) => reply.type(JSON_TYPE).send(sendable(json))

/** A list whose items are JSON texts. */
interface ListOfTexts {
  _embedded: Record<string, string[]>
}

/** The answer is a list with one collection of texts, see ListOfTexts. */
export const answersTexts = (reply: FastifyReply) =>
  // Fastify sends bytes too, which its type does not say.
  reply.type(JSON_TYPE).serializer(listText as (list: ListOfTexts) => string)

function listText({ _embedded, ...head }: ListOfTexts): string | Buffer {
  const [[name, texts]] = Object.entries(_embedded) as [[string, string[]]]
  let json = `${JSON.stringify(head).slice(0, -1)},"_embedded":{"${name}":[`
  // Not `join`, which copies the texts once more before they are sent.
  for (const [i, text] of texts.entries()) json += i > 0 ? `,${text}` : text
  return sendable(`${json}]}}`)
}

/** From this length on, bytes are sent faster than a text, which Node copies once more with the headers. */
const LONG = 32_768

const sendable = (json: string): string | Buffer => (json.length < LONG ? json : Buffer.from(json))

/** The members of an object as the text that follows other members; empty if there are none. */
export function furtherText(members: object): string {
  for (const _ in members) return `,${JSON.stringify(members).slice(1, -1)}`
  return ''
}

/** A text as it is between the quotes of a JSON string. */
export const quotedText = (text: string): string => JSON.stringify(text).slice(1, -1)
