import type { Client } from '../client.ts'
import type { World } from '../world.ts'
import { sendChats } from './example-chats.ts'
import { sendIntegration, sendTestHelpers } from './example-developers.ts'
import { sendFiles, sendImport, sendImportUntilUndo } from './example-files.ts'
import { sendFirstApi, sendOlderSignIn, sendSecondApi } from './example-older-apis.ts'
import {
  sendButton,
  sendElementLinks,
  sendFollowing,
  sendMoreSettings,
  sendProducts,
  sendSegment,
  sendTag,
  sendTokens,
} from './example-settings.ts'

/** Requests as an integration sends them, in an order in which each finds the records that it names. */

const kinds = { leads: 'lead', contacts: 'contact', companies: 'company', customers: 'customer' } as const
type Kind = keyof typeof kinds

const PHONE = '+1 555 0100'
const records: Record<Kind, object> = {
  leads: { name: 'Kitchen for the Novaks', price: 12_500, tags_to_add: [{ name: 'kitchen' }] },
  contacts: {
    first_name: 'Eva',
    last_name: 'Novak',
    custom_fields_values: [{ field_code: 'PHONE', values: [{ value: PHONE, enum_code: 'WORK' }] }],
  },
  companies: { name: 'Novak Interiors' },
  customers: { name: 'Novak Interiors', next_date: 1_775_000_000, next_price: 900 },
}
const fields = [
  { name: 'Delivery address', type: 'text' },
  { name: 'Floor', type: 'numeric' },
  {
    name: 'Material',
    type: 'select',
    enums: [
      { value: 'Oak', sort: 1 },
      { value: 'Pine', sort: 2 },
    ],
  },
]

/** Sends every request once. The first answer of an operation is its example. */
export async function sendExamples(world: World, v4: Client): Promise<void> {
  const id = async (path: string, body: object): Promise<number> => {
    const { body: answer } = await v4.post(`/api/v4/${path}`, body)
    const [first] = Object.values(answer._embedded ?? {}) as { id: number }[][]
    return first?.[0]?.id ?? answer.id
  }
  await sendSettings(world, v4, id)
  const ids = {} as Record<Kind, number>
  for (const kind of Object.keys(kinds) as Kind[]) {
    await sendFields(v4, id, kind)
    ids[kind] = await id(kind, [records[kind]])
  }
  const file_uuid = await sendFiles(v4)
  for (const kind of Object.keys(kinds) as Kind[]) await sendRecord(v4, id, kind, ids, file_uuid)
  await sendCalls(v4, ids.contacts)
  await sendLists(v4, id)
  await sendIncomingLeads(v4)
  await sendTasks(v4, id, ids.leads)
  await sendPurchases(v4, id, ids.customers)
  await sendImport(v4)
  await sendMoreSettings(v4)
  await sendSegment(v4)
  await sendProducts(v4)
  await sendButton(v4)
  for (const type of ['leads', 'customers'] as const) await sendFollowing(v4, type, ids[type])
  await sendChats(world, v4, ids.contacts)
  await v4.get('/api/v4/events?limit=1')
  const { body: log } = await v4.get('/api/v4/events?limit=1')
  await v4.get(`/api/v4/events/${log._embedded.events[0].id}`)
  for (const path of [
    'events/counts',
    'events/integrations',
    'events/types',
    'search?query=Novak',
    'leads/links?filter[entity_id]=1',
  ])
    await v4.get(`/api/v4/${path}`)
  await sendElementLinks(v4, ids.leads)
  await v4.get('/oauth2/account/subdomain')
  await v4.get('/v3/user')
  await sendFirstApi(v4)
  await sendSecondApi(v4)
  await sendImportUntilUndo(world, v4)
  await sendIntegration(world, v4)
  await sendTestHelpers(world, v4)
  await sendTokens(world, v4)
  await sendOlderSignIn(world, v4)
}

type Add = (path: string, body: object) => Promise<number>

async function sendIncomingLeads(v4: Client): Promise<void> {
  const path = '/api/v4/leads/unsorted'
  const call = {
    source_name: 'PBX One',
    source_uid: 'pbx-77',
    _embedded: { leads: [{ name: 'Call back', price: 900 }], contacts: [{ name: 'Jo Field' }] },
    metadata: {
      from: 'PBX One',
      phone: '441134960000',
      called_at: 1_772_366_000,
      duration: 54,
      service_code: 'pbx_one',
      uniq: 'c-2',
      is_call_event_needed: true,
    },
  }
  const form = {
    source_name: 'Our site',
    source_uid: 'site',
    _embedded: { leads: [{ name: 'Ask us' }], contacts: [{ name: 'Ann Stone' }] },
    metadata: { form_id: 'f1', form_name: 'Ask us', form_page: 'https://shop.example', ip: '192.0.2.1' },
  }
  const uidOf = ({ body }: { body: { _embedded: { unsorted: { uid: string }[] } } }) =>
    body._embedded.unsorted[0]?.uid
  const called = uidOf(await v4.post(`${path}/sip`, [call]))
  const filled = uidOf(await v4.post(`${path}/forms`, [form]))
  await v4.get(path)
  await v4.get(`${path}/${called}`)
  await v4.post(`${path}/${called}/accept`, {})
  await v4.delete(`${path}/${filled}/decline`, {})
  await v4.get(`${path}/summary`)
}

async function sendSettings(world: World, v4: Client, id: Add): Promise<void> {
  await v4.get('/api/v4/account')
  await v4.patch('/api/v4/account', { name: 'Novak and Sons' })
  await v4.patch('/api/v4/customers/mode', { mode: 'periodicity', is_enabled: true })
  const field = { name: 'Delivery slot', type: 1, element_type: 2, origin: 'courier', request_id: 17 }
  await v4.post('/private/api/v2/json/fields/set', { request: { fields: { add: [field] } } })
  const group = await id('groups', { name: 'North' })
  await v4.patch(`/api/v4/groups/${group}`, { name: 'North and east' })
  const role = await id('roles', [{ name: 'Sales' }])
  await v4.patch(`/api/v4/roles/${role}`, { name: 'Sales team' })
  const draft = { name: 'Eva Novak', email: 'eva@example.com', password: 'a long example password' }
  const user = await id('users', [draft])
  await v4.patch(`/api/v4/users/${user}`, { name: 'Eva Horak' })
  for (const verb of ['deactivate', 'activate']) {
    await v4.post(`/api/v4/users/${verb}`, [{ id: user }])
    await v4.post(`/api/v4/users/${user}/${verb}`)
  }
  const pipeline = await id('leads/pipelines', [
    { name: 'Kitchens', sort: 20, is_main: false, is_unsorted_on: true },
  ])
  await v4.patch(`/api/v4/leads/pipelines/${pipeline}`, { name: 'Kitchens and baths' })
  const stages = `leads/pipelines/${pipeline}/statuses`
  const stage = await id(stages, [{ name: 'Measured', sort: 30, color: '#fffeb2' }])
  await v4.patch(`/api/v4/${stages}/${stage}`, { name: 'Measured at home' })
  await sendAutomations(world, v4, id, { pipeline_id: pipeline, status_id: stage })
  const reason = await id('leads/loss_reasons', [{ name: 'Too expensive' }])
  await v4.patch(`/api/v4/leads/loss_reasons/${reason}`, { name: 'Price' })
  const regular = await id('customers/statuses', [{ name: 'Regular', sort: 20 }])
  await v4.patch(`/api/v4/customers/statuses/${regular}`, { name: 'Returning' })
  const audience = await id('audiences', [{ name: 'Kitchen buyers', service: 'ads' }])
  await v4.patch(`/api/v4/audiences/${audience}`, { name: 'Kitchen and bath buyers' })
  const destination = 'https://hook.example/in'
  await v4.post('/api/v4/webhooks', { destination, settings: ['add_lead', 'status_lead'] })
  await v4.get('/api/v4/webhooks')
  await v4.get('/api/v4/outgoing_requests')
  await v4.delete('/api/v4/webhooks', { destination })
  const source = await id('sources', [{ name: 'Web site', external_id: 'site-1' }])
  await v4.patch('/api/v4/sources', [{ id: source, name: 'Shop' }])
  await v4.patch(`/api/v4/sources/${source}`, { name: 'Web shop' })
  for (const path of [
    'groups',
    'roles',
    `roles/${role}`,
    'users',
    `users/${user}`,
    'leads/pipelines',
    stages,
    'sources',
  ])
    await v4.get(`/api/v4/${path}`)
  for (const path of [
    `leads/pipelines/${pipeline}`,
    `${stages}/${stage}`,
    'leads/loss_reasons',
    `leads/loss_reasons/${reason}`,
    'customers/statuses',
    `customers/statuses/${regular}`,
    'audiences',
    `audiences/${audience}`,
    `sources/${source}`,
  ])
    await v4.get(`/api/v4/${path}`)
  await v4.delete('/api/v4/sources', [{ id: source }])
}

async function sendAutomations(
  world: World,
  v4: Client,
  id: Add,
  stage: { pipeline_id: number; status_id: number },
): Promise<void> {
  const automations = `leads/pipelines/${stage.pipeline_id}/automations`
  const automation = await id(automations, [
    {
      status_id: stage.status_id,
      delay: 86_400,
      action: { type: 'create_task', text: 'Call back', complete_in: 7_200 },
    },
  ])
  await v4.patch(`/api/v4/${automations}/${automation}`, { is_enabled: false })
  for (const path of [automations, `${automations}/${automation}`]) await v4.get(`/api/v4/${path}`)
  await v4.delete(`/api/v4/${automations}/${automation}`)
  await id(automations, [
    { status_id: stage.status_id, action: { type: 'change_tags', tags_to_add: ['measured'] } },
  ])
  await id('leads', [{ name: 'Kitchen for the Parks', ...stage }])
  await world.app.automation.runDue()
  await v4.get(`/api/v4/${automations}/runs`)
}

async function sendFields(v4: Client, id: Add, kind: string): Promise<void> {
  const path = `${kind}/custom_fields`
  const field = await id(path, fields)
  await v4.patch(`/api/v4/${path}`, [{ id: field, name: 'Address' }])
  await v4.patch(`/api/v4/${path}/${field}`, { name: 'Delivery address', sort: 510 })
  for (const end of ['', `/${field}`, `/${field}/usage`]) await v4.get(`/api/v4/${path}${end}`)
  if (kind === 'customers/segments') return
  const group = await id(`${path}/groups`, [{ name: 'Delivery', sort: 5 }])
  await v4.patch(`/api/v4/${path}/groups/${group}`, { name: 'Delivery and assembly' })
  for (const end of ['', `/${group}`]) await v4.get(`/api/v4/${path}/groups${end}`)
}

/** A call and a short link, which refer to a contact. */
async function sendCalls(v4: Client, contact: number): Promise<void> {
  await v4.post('/api/v4/calls', [
    { direction: 'inbound', duration: 54, source: 'Exchange', phone: PHONE, uniq: 'c-1', call_status: 4 },
  ])
  const metadata = { entity_type: 'contacts', entity_id: contact }
  await v4.post('/api/v4/short_links', [{ url: 'https://shop.example/kitchens', metadata }])
}

async function sendRecord(
  v4: Client,
  id: Add,
  kind: Kind,
  ids: Record<Kind, number>,
  file_uuid: string,
): Promise<void> {
  const record = `/api/v4/${kind}/${ids[kind]}`
  const all = `/api/v4/${kind}`
  const note = { note_type: 'common', params: { text: 'Prefers calls in the morning.' } }
  await v4.patch(all, [{ id: ids[kind], name: 'Novak' }])
  await v4.patch(record, { name: 'Novak family' })
  await v4.post(`${all}/tags`, [{ name: 'regular' }])
  await sendTag(v4, kind)
  const noteId = await id(`${kind}/notes`, [{ entity_id: ids[kind], ...note }])
  await v4.post(`${record}/notes`, [note])
  const text = { note_type: 'common', params: { text: 'Prefers calls in the evening.' } }
  await v4.patch(`${all}/notes`, [{ id: noteId, ...text }])
  await v4.patch(`${record}/notes`, [{ id: noteId, ...text }])
  for (const one of [`${all}/notes/${noteId}`, `${record}/notes/${noteId}`]) {
    await v4.patch(one, text)
    await v4.get(one)
  }
  const to = kind === 'contacts' ? 'companies' : 'contacts'
  const link = { to_entity_id: ids[to], to_entity_type: to }
  await v4.post(`${record}/link`, [link])
  await v4.post(`${all}/link`, [{ entity_id: ids[kind], ...link }])
  await v4.get(`${all}/links?filter[entity_id]=${ids[kind]}`)
  await v4.post(`${record}/audiences`, { audience_id: 1 })
  await v4.post(`${record}/surveys`)
  await v4.post(`${record}/nps`, { rate: 9 })
  await v4.put(`${record}/files`, [{ file_uuid }])
  await v4.get(`/api/v4/files/${file_uuid}/links`)
  for (const end of ['', '/links', '/notes', '/files', '/timeline?limit=1', '/audiences'])
    await v4.get(record + end)
  for (const end of ['', '/totals', '/tags', '/notes']) await v4.get(all + end)
  await v4.delete(`${record}/files`, [{ file_uuid }])
  await v4.post(`${record}/unlink`, [link])
  await v4.post(`${all}/unlink`, [{ entity_id: ids[kind], ...link }])
  const [second, third] = [await id(kind, [records[kind]]), await id(kind, [records[kind]])]
  await v4.post(`${all}/merge`, { id: second, merge: [third] })
  await v4.delete(all, [{ id: second }])
  await v4.post(`${all}/${second}/restore`)
  await v4.delete(`${all}/notes`, [{ id: noteId }])
  await v4.post(`${all}/notes/${noteId}/restore`)
}

async function sendLists(v4: Client, id: Add): Promise<void> {
  await sendFields(v4, id, 'customers/segments')
  const list = await id('catalogs', [{ name: 'Worktops', can_link_multiple: true }])
  await v4.patch('/api/v4/catalogs', [{ id: list, name: 'Kitchen worktops' }])
  await v4.patch(`/api/v4/catalogs/${list}`, { name: 'Worktops' })
  await sendFields(v4, id, `catalogs/${list}`)
  const element = await id(`catalogs/${list}/elements`, [{ name: 'Oak, 3 m' }])
  const elements = `/api/v4/catalogs/${list}/elements`
  await v4.patch(elements, [{ id: element, name: 'Oak, 4 m' }])
  await v4.patch(`${elements}/${element}`, { name: 'Oak, 5 m' })
  for (const end of ['', '/totals', `/${element}`, `/${element}/timeline?limit=1`])
    await v4.get(elements + end)
  await v4.delete(`${elements}/${element}`)
  await v4.post(`${elements}/${element}/restore`)
  for (const end of ['', `/${list}`]) await v4.get(`/api/v4/catalogs${end}`)
}

async function sendTasks(v4: Client, id: Add, lead: number): Promise<void> {
  const task = await id('tasks', [
    { text: 'Send the offer', complete_till: 1_772_500_000, entity_id: lead, entity_type: 'leads' },
  ])
  await v4.patch('/api/v4/tasks', [{ id: task, text: 'Send the new offer' }])
  await v4.patch(`/api/v4/tasks/${task}`, { is_completed: true, result: { text: 'Sent.' } })
  for (const end of ['', '/totals', `/${task}`]) await v4.get(`/api/v4/tasks${end}`)
  await v4.delete('/api/v4/tasks', [{ id: task }])
  await v4.post('/api/v4/leads/complex', [
    {
      name: 'Bathroom for the Horaks',
      price: 4_200,
      _embedded: { contacts: [{ first_name: 'Jan' }], companies: [{ name: 'Horak Ltd' }] },
    },
  ])
  await v4.post('/api/v4/jobs/bulk_changes', {
    entity_type: 'leads',
    ids: [lead],
    changes: { tags_to_add: ['2026'] },
  })
  await v4.get('/api/v4/jobs')
  await sendTemplates(v4)
  const intent = { name: 'Price', phrases: ['how much'], answer: 'Kitchens start at 3,000.' }
  const added = await id('chats/intents', intent)
  await v4.patch(`/api/v4/chats/intents/${added}`, { answer: 'Kitchens start at 3,500.' })
  for (const end of ['', `/${added}`]) await v4.get(`/api/v4/chats/intents${end}`)
}

async function sendTemplates(v4: Client): Promise<void> {
  const at = '/api/v4/chats/templates'
  const content = 'Hello, {{contact.name}}! Your order is ready.'
  const examples = { '{{contact.name}}': 'Jana' }
  const { body } = await v4.post(at, [
    { name: 'Order ready', content, external_id: 'order-ready' },
    {
      name: 'Order ready (WhatsApp)',
      content,
      type: 'waba',
      waba_category: 'UTILITY',
      waba_examples: examples,
    },
  ])
  const [{ id }, { id: waba }] = body._embedded.chat_templates
  for (const end of ['?with=reviews', `/${id}`]) await v4.get(at + end)
  await v4.patch(at, [{ id, name: 'The order is ready' }])
  await v4.patch(`${at}/${id}`, { buttons: [{ type: 'inline', text: 'Thank you' }] })
  const { body: sent } = await v4.post(`${at}/${waba}/review`, {})
  await v4.post(`${at}/${waba}/review/${sent._embedded.reviews[0].id}`, { status: 'approved' })
  await v4.delete(at, [{ id }])
  await v4.delete(`${at}/${waba}`)
}

async function sendPurchases(v4: Client, id: Add, customer: number): Promise<void> {
  const at = `customers/${customer}`
  const purchase = await id(`${at}/transactions`, [{ price: 900, comment: 'Two chairs' }])
  await v4.post(`/api/v4/${at}/bonus_points`, { earn: 50 })
  for (const path of ['customers', at])
    for (const end of ['', `/${purchase}`]) await v4.get(`/api/v4/${path}/transactions${end}`)
}
