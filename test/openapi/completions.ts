/** Completes a body with members that the schema cannot require, because they depend on the others. */
type Completion = (body: Record<string, unknown>, number: number) => Record<string, unknown>

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The given members and the missing ones. */
function beside(needed: Record<string, unknown>, given: unknown): Record<string, unknown> {
  const whole = { ...needed }
  for (const [name, value] of Object.entries(isPlain(given) ? given : {}))
    whole[name] = isPlain(needed[name]) ? beside(needed[name], value) : value
  return whole
}

const file = { media: 'https://example.com/a.png', file_name: 'a.png', file_size: 10 }
const byType: Record<string, object> = {
  text: { text: 'Hello' },
  location: { location: { lon: 1.5, lat: 2.5 } },
  contact: { contact: { name: 'Ann', phone: '+15550100' } },
}

/** Members that are short texts everywhere. Placeholders with these names may be numbers. */
const WORDS = /^(?:id|msgid|conversation_id|name|file_name|email|external_id)$/
const LONG = 40

/** Shortens such texts to a length that is always valid. */
function shortened(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => shortened(one))
  if (isPlain(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one, key)]))
  if (name === 'phone') return 15_550_100
  if (WORDS.test(name)) return String(value).slice(0, LONG) || 'x'
  return value
}

/** A message from one of a few people, most of them new. */
function aPush(given: Record<string, unknown>, number: number): Record<string, unknown> {
  // Unchanged, as the schema allows.
  if (number % 4 === 0) return given
  const body = shortened(given) as Record<string, unknown>
  const part = isPlain(body.payload) ? body.payload : {}
  if (body.event_type === 'edit_message' && number % 3 === 0)
    return { ...body, payload: { ...part, id: undefined, msgid: `m-${number % 9}` } }
  const message = beside({ type: 'text' }, part.message)
  if (isPlain(message.contact)) message.contact.phone = '+15550100'
  const who = number % 7
  const payload = beside(
    {
      timestamp: 1_772_366_000,
      conversation_id: `c-${who}`,
      sender: { id: `s-${who}`, name: 'Sue', avatar: file.media },
      message: { ...file, ...byType[String(message.type)] },
    },
    { ...part, message, msgid: `m-${number % 5 ? number : number % 9}` },
  )
  // A sender on the account's side must be a user, and needs a receiver.
  if (number % 5 > 0) payload.sender = { ...(payload.sender as object), ref_id: undefined }
  return { ...body, event_type: 'new_message', payload }
}

/** A change of a common note, as those of the account are. */
const aNoteEdit: Completion = (given, number) =>
  number % 4 ? { ...given, note_type: 'common', params: { text: `Changed ${number}` } } : given

/** By operation. Each completes a body before it is mutated. */
const completions: Record<string, Completion> = {
  'POST /v2/origin/custom/{scope_id}': aPush,
  'POST /v2/origin/custom/{scope_id}/{msgid}/delivery_status': (body, number) =>
    number % 2 ? { status_code: 1 } : { status_code: -1, error_code: 905, error: 'Not there', ...body },
  'POST /v2/origin/custom/{scope_id}/react': (body, number) =>
    number % 3
      ? {
          type: 'react',
          emoji: '👍',
          user: { id: `s-${number % 7}` },
          msgid: `m-${number % 9}`,
          ...thread(number),
        }
      : body,
  'POST /v2/origin/custom/{scope_id}/chats': (body, number) =>
    number % 3 ? (shortened(body) as Record<string, unknown>) : body,
  'POST /v2/origin/custom/{scope_id}/typing': (body, number) =>
    number % 3 ? { ...body, ...thread(number), sender: { id: `s-${number % 7}` } } : body,
  'POST /api/v4/chats/intents': (body, number) =>
    number % 3 ? { ...body, phrases: [`the price ${number}`] } : body,
  'POST /api/v4/chats/{id}/messages': (body) => beside({ text: 'Hello' }, body),
  'POST /api/v4/jobs/bulk_changes': (body, number) =>
    number % 4 ? { entity_type: 'leads', search: 'query=nothing', changes: { tags_to_add: ['seen'] } } : body,
  'POST /api/v4/webhooks': (body, number) =>
    number % 4 ? { destination: `https://example.com/hooks/${number % 9}`, settings: ['add_lead'] } : body,
  'DELETE /api/v4/webhooks': (body, number) =>
    number % 4 ? { destination: `https://example.com/hooks/${number % 9}` } : body,
  'POST /api/v2/webhooks/subscribe': (body, number) =>
    number % 4 ? { subscribe: [{ url: `https://example.com/${number % 9}`, events: ['add_lead'] }] } : body,
  'POST /api/v4/talks/{id}/send_message': (body) => beside({ text: 'Hello' }, body),
  ...Object.fromEntries(
    ['leads', 'contacts', 'companies', 'customers'].flatMap((kind) =>
      ['notes', 'notes/{id}', '{entity_id}/notes', '{entity_id}/notes/{id}'].map((end) => [
        `PATCH /api/v4/${kind}/${end}`,
        aNoteEdit,
      ]),
    ),
  ),
}

const thread = (number: number): object => ({ conversation_id: `c-${number % 7}` })

export function completed(operation: string, body: unknown, number: number): unknown {
  const complete = completions[operation]
  if (!complete) return body
  if (Array.isArray(body)) {
    // Several items often name the same object.
    const items = number % 3 ? body.slice(0, 1) : body
    return items.map((item) => (isPlain(item) ? complete(item, number) : item))
  }
  return isPlain(body) ? complete(body, number) : body
}
