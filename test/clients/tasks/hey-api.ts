import { createClient } from './sdk/client/index.js'
import {
  contactsGet,
  eventsList,
  leadsCreate,
  leadsList,
  leadsNotesCreate,
  oauthToken,
  tasksCreate,
} from './sdk/index.js'

/** Usual tasks with a client that @hey-api/openapi-ts generates. They compile without a cast. */
export const client = createClient({ baseUrl: 'https://demo.example.com', auth: () => 'token' })

export async function leadNames(): Promise<string[]> {
  const { data } = await leadsList({ client, query: { limit: 50, with: ['contacts'] } })
  return data?._embedded.leads.map(({ name }) => name) ?? []
}

export async function addLead(field_id: number): Promise<number | undefined> {
  const { data } = await leadsCreate({
    client,
    body: [
      {
        name: 'A kitchen',
        custom_fields_values: [{ field_id, values: [{ value: 'Oak' }] }],
        _embedded: { tags: [{ name: 'website' }] },
      },
    ],
  })
  return data?._embedded.leads[0]?.id
}

export async function addCall(entity_id: number): Promise<number | undefined> {
  const { data } = await leadsNotesCreate({
    client,
    body: [
      { entity_id, note_type: 'call_in', params: { duration: 60, source: 'Telephony', phone: '+15550100' } },
    ],
  })
  return data?._embedded.notes[0]?.id
}

export async function newStages(): Promise<number[]> {
  const { data } = await eventsList({ client, query: { 'filter[type]': ['lead_status_changed'] } })
  return (
    data?._embedded.events.flatMap((event) =>
      event.type === 'lead_status_changed' ? event.value_after.map(({ lead_status }) => lead_status.id) : [],
    ) ?? []
  )
}

export async function phonesOf(id: number): Promise<string[]> {
  const { data } = await contactsGet({ client, path: { id } })
  const field = data?.custom_fields_values?.find(({ field_code }) => field_code === 'PHONE')
  return field?.field_type === 'multitext' ? field.values.map(({ value }) => value) : []
}

export async function addTask(entity_id: number, complete_till: number): Promise<number | undefined> {
  const { data } = await tasksCreate({
    client,
    body: [{ text: 'Call back', complete_till, entity_id, entity_type: 'leads' }],
  })
  return data?._embedded.tasks[0]?.id
}

export async function exchange(code: string): Promise<string | undefined> {
  const { data } = await oauthToken({
    client,
    body: {
      client_id: 'id',
      client_secret: 'secret',
      redirect_uri: 'https://shop.example/oauth',
      grant_type: 'authorization_code',
      code,
    },
  })
  return data?.refresh_token
}
