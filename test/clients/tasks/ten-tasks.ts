import { createHash, createHmac } from 'node:crypto'
import { createClient, type Schemas } from '../../../sdk/client.ts'

/** Ten usual tasks of an integration. The types of the client are enough for all of them. */

type Client = ReturnType<typeof createClient>

/** An answer that is not the expected one. */
const failed = (response: Response, error: unknown): Error =>
  new Error(`${response.status} ${JSON.stringify(error)}`)

export async function accountCurrency(client: Client): Promise<{ name: string; currency: string }> {
  const { data, error, response } = await client.GET('/api/v4/account')
  if (!data) throw failed(response, error)
  return { name: data.name, currency: data.currency }
}

/** The names of all leads, each with the ids of its contacts. */
export async function leadsWithContacts(
  client: Client,
  limit: number,
): Promise<{ name: string; contacts: number[] }[]> {
  const leads: Schemas['Lead'][] = []
  for (let page = 1; ; page++) {
    const { data, error, response } = await client.GET('/api/v4/leads', {
      params: { query: { page, limit, with: ['contacts'], 'order[id]': 'asc' } },
    })
    if (error) throw failed(response, error)
    leads.push(...(data?._embedded.leads ?? []))
    if (!data?._links.next) break
  }
  return leads.map(({ name, _embedded: { contacts = [] } }) => ({
    name,
    contacts: contacts.map(({ id }) => id),
  }))
}

export async function addLead(
  client: Client,
  { field_id, tag }: { field_id: number; tag: string },
): Promise<number> {
  const { data, error, response } = await client.POST('/api/v4/leads', {
    body: [
      {
        name: 'A kitchen',
        price: 1_200,
        custom_fields_values: [{ field_id, values: [{ value: 'Oak' }] }],
        _embedded: { tags: [{ name: tag }] },
      },
    ],
  })
  const id = data?._embedded.leads[0]?.id
  if (id === undefined) throw failed(response, error)
  return id
}

export async function moveLead(
  client: Client,
  { id, status_id, pipeline_id }: { id: number; status_id: number; pipeline_id: number },
): Promise<number> {
  const { data, error, response } = await client.PATCH('/api/v4/leads/{id}', {
    params: { path: { id } },
    body: { status_id, pipeline_id },
  })
  if (!data) throw failed(response, error)
  return data.updated_at
}

/** The person who called is read back from the note, by its type. */
export async function addCallNote(client: Client, lead_id: number): Promise<string> {
  const { data, error, response } = await client.POST('/api/v4/leads/{entity_id}/notes', {
    params: { path: { entity_id: lead_id } },
    body: [
      {
        note_type: 'call_in',
        params: { uniq: 'call-1', duration: 60, source: 'Telephony', phone: '+15550100', call_status: 4 },
      },
    ],
  })
  const id = data?._embedded.notes[0]?.id
  if (id === undefined) throw failed(response, error)
  const { data: note } = await client.GET('/api/v4/leads/notes/{id}', { params: { path: { id } } })
  return note?.note_type === 'call_in' ? note.params.phone : ''
}

/** From which stage to which, for each change of a stage. */
export async function statusChanges(client: Client): Promise<{ lead: number; from: number; to: number }[]> {
  const { data, error, response } = await client.GET('/api/v4/events', {
    params: { query: { 'filter[type]': ['lead_status_changed', 'lead_added'] } },
  })
  if (!data) throw failed(response, error)
  return data._embedded.events.flatMap((event) => {
    if (event.type !== 'lead_status_changed') return []
    const [before] = event.value_before
    const [after] = event.value_after
    return before && after
      ? [{ lead: event.entity_id, from: before.lead_status.id, to: after.lead_status.id }]
      : []
  })
}

export interface Keys {
  client_id: string
  client_secret: string
  redirect_uri: string
}

/** Exchanges a code and then refreshes the pair. */
export async function connect(client: Client, keys: Keys, code: string): Promise<string> {
  const first = await client.POST('/oauth2/access_token', {
    body: { ...keys, grant_type: 'authorization_code', code },
  })
  if (!first.data) throw new Error(first.error.hint)
  const { refresh_token } = first.data
  const second = await client.POST('/oauth2/access_token', {
    body: { ...keys, grant_type: 'refresh_token', refresh_token },
  })
  if (!second.data) throw new Error(second.error.hint)
  return second.data.access_token
}

/** The phone numbers of a contact, each with the code of its label; and the labels that its field offers. */
export async function phonesOf(
  client: Client,
  contact_id: number,
): Promise<{ phones: string[]; labels: string[] }> {
  const fields = await client.GET('/api/v4/contacts/custom_fields')
  const field = fields.data?._embedded.custom_fields.find(({ code }) => code === 'PHONE')
  const { data, error, response } = await client.GET('/api/v4/contacts/{id}', {
    params: { path: { id: contact_id } },
  })
  if (error) throw failed(response, error)
  const phones = data?.custom_fields_values?.find(({ field_id }) => field_id === field?.id)
  return {
    phones:
      phones?.field_type === 'multitext'
        ? phones.values.map(({ value, enum_code }) => `${enum_code} ${value}`)
        : [],
    labels: field?.enums?.map(({ value }) => value) ?? [],
  }
}

export async function completeTask(client: Client, lead_id: number, at: number): Promise<boolean> {
  const { data, error, response } = await client.POST('/api/v4/tasks', {
    body: [{ text: 'Call back', complete_till: at, entity_id: lead_id, entity_type: 'leads' }],
  })
  const id = data?._embedded.tasks[0]?.id
  if (id === undefined) throw failed(response, error)
  await client.PATCH('/api/v4/tasks/{id}', {
    params: { path: { id } },
    body: { is_completed: true, result: { text: 'Done' } },
  })
  const { data: task } = await client.GET('/api/v4/tasks/{id}', { params: { path: { id } } })
  return task?.is_completed ?? false
}

export interface Channel {
  scope_id: string
  secret: string
}

/** A client of the provider of a chat channel: it signs the method, the path and the body of each request. */
export function createProvider(baseUrl: string, secret: string, now: () => Date): Client {
  const provider = createClient(baseUrl)
  provider.use({
    async onRequest({ request }) {
      const { method, url, headers } = request
      const body = await request.clone().text()
      const digest = createHash('md5').update(body).digest('hex')
      const date = now().toUTCString()
      const lines = [method, digest, headers.get('content-type') ?? '', date, new URL(url).pathname]
      headers.set('date', date)
      headers.set('content-md5', digest)
      headers.set('x-signature', createHmac('sha1', secret).update(lines.join('\n')).digest('hex'))
    },
  })
  return provider
}

/** Pushes a message into a conversation, and reads the texts of its history. */
export async function pushMessage(provider: Client, scope_id: string, timestamp: number): Promise<string[]> {
  const conversation_id = 'c-1'
  const pushed = await provider.POST('/v2/origin/custom/{scope_id}', {
    params: { path: { scope_id } },
    body: {
      event_type: 'new_message',
      payload: {
        timestamp,
        msgid: 'm-1',
        conversation_id,
        sender: { id: 's-1', name: 'Sue', avatar: 'https://cdn.example/sue.png' },
        message: { type: 'text', text: 'Is it still there?' },
      },
    },
  })
  if (!pushed.data) throw failed(pushed.response, pushed.error)
  const history = await provider.GET('/v2/origin/custom/{scope_id}/chats/{conversation_id}/history', {
    params: { path: { scope_id, conversation_id } },
  })
  if (history.error) throw failed(history.response, history.error)
  return history.data?.messages.map(({ message }) => message.text) ?? []
}
