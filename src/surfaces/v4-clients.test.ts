import { expect, test } from 'vitest'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add } from '../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../test/world.ts'

/** The kind of client, its request, and the members that its code reads, by their paths. */
type Call = [client: string, method: string, path: string, body: unknown, status: number, reads: string[]]

const AT = BEGINNING + 0.5
const BATCH = ['_links.self.href', '_embedded.leads.0.id', '_embedded.leads.0.request_id']

// biome-ignore format: one call a line
const calls: Call[] = [
  // Structures of Go are never left out, and an empty list is null.
  ['Go', 'POST', 'leads', [{ name: 'A', metadata: {}, _embedded: {}, _links: { self: {} } }], 200, BATCH],
  ['Go', 'POST', 'contacts', [{ name: 'A', _embedded: { catalog_elements: null }, _links: { self: {} } }], 200, ['_embedded.contacts.0.id']],
  ['Go', 'POST', 'leads/complex', [{ name: 'A', metadata: {}, _embedded: { contacts: [{ first_name: 'A', _embedded: { catalog_elements: null } }] } }], 200, ['0.id', '0.contact_id', '0.request_id.0']],
  ['Go', 'GET', 'leads?with=contacts%2Ccompanies%2Ccatalog_elements&page=1', undefined, 200, ['_page', '_embedded.leads.0.custom_fields_values', '_embedded.leads.0._embedded.contacts']],
  // Python divides milliseconds, and sends a float or its text.
  ['Python', 'PATCH', 'leads/{lead}', { updated_at: AT, created_at: AT }, 200, ['id', 'updated_at']],
  ['Python', 'GET', `leads?filter%5Bupdated_at%5D%5Bfrom%5D=${BEGINNING - 0.5}&order%5Bupdated_at%5D=asc&limit=250&page=1`, undefined, 200, ['_links.self.href', '_embedded.leads.0.id']],
  ['Python', 'GET', `tasks?filter[complete_till][to]=${BEGINNING + 9e4}.0&filter[is_completed][]=0&filter[entity_type]=leads`, undefined, 200, ['_embedded.tasks.0.text']],
  ['Python', 'GET', `leads/notes?filter[updated_at][from]=${BEGINNING - 0.25}&filter[note_type]=common,amomail_message`, undefined, 200, ['_embedded.notes.0.params.text']],
  ['Python', 'POST', 'leads/{lead}/link', [{ to_entity_id: '{contact}', to_entity_type: 'contacts', metadata: null }], 200, ['_embedded.links.0.metadata.main_contact']],
  ['Python', 'POST', 'contacts', [{ name: 'B', custom_fields_values: [{ field_id: null, field_code: 'PHONE', field_name: null, values: [{ value: '+1', enum_code: 'WORK' }] }] }], 200, ['_embedded.contacts.0.id']],
  // Tools with a form for each request number their lists, and ask for each type that the platform has.
  ['a form', 'GET', 'events?filter[type][0]=lead_added&filter[type][1]=talk_created&filter[type][2]=incoming_mail&limit=100&page=1', undefined, 200, ['_page', '_embedded.events.0.value_after.0.note.id']],
  ['a form', 'GET', 'leads?filter[statuses][0]=142&filter[pipelines][0]=1&query=&page=&limit=', undefined, 204, []],
  ['C#', 'GET', 'leads/links?filter[entity_id][0]={lead}&filter[entity_id][1]=2&page=1&limit=250', undefined, 200, ['_embedded.links.0.to_entity_id', '_embedded.links.0.entity_id']],
  ['C#', 'GET', 'customers?page=1&limit=250', undefined, 204, []],
  ['PHP', 'POST', 'leads/{lead}/notes', { 0: { note_type: 'common', params: { text: 'A' }, created_by: null } }, 200, ['_embedded.notes.0.id', '_embedded.notes.0.request_id']],
  ['PHP', 'PATCH', 'leads', [{ id: '{lead}', custom_fields_values: [], _embedded: [] }], 200, ['_embedded.leads.0.updated_at']],
]

const valueAt = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], body)

test('Public clients of v4 send what they send to the live service, and find the members that they read', async () => {
  const { admin, stranger } = await world()
  const { access_token } = await connect(stranger, await register(admin))
  const caller = stranger.as({ token: access_token })
  const lead = await add(caller, 'leads', { name: 'Roof' })
  const contact = await add(caller, 'contacts', { name: 'Ann' })
  await caller.post(`/api/v4/leads/${lead}/notes`, [{ note_type: 'common', params: { text: 'A' } }])
  const task = { text: 'Call', complete_till: BEGINNING + 60, entity_id: lead, entity_type: 'leads' }
  await caller.post('/api/v4/tasks', [task])
  const filled = (text: string) =>
    text.replace(/"?\{lead\}"?/g, String(lead)).replace(/"?\{contact\}"?/g, String(contact))
  for (const [kind, method, path, body, status, reads] of calls) {
    const sent = body === undefined ? undefined : filled(JSON.stringify(body))
    const answer = await caller.send(method, `/api/v4/${filled(path)}`, sent, {
      'content-type': 'application/json',
    })
    const missing = reads.filter((name) => valueAt(answer.body, name) === undefined)
    expect([kind, method, path, answer.status, missing]).toEqual([kind, method, path, status, []])
  }
})
