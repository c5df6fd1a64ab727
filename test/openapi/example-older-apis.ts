import type { Client } from '../client.ts'
import { register } from '../fixtures/integrations.ts'
import type { World } from '../world.ts'

/** Requests of the older APIs, as their clients send them: one for each operation. */

const PHONE = '+1 555 0144'
const WEEK = 1_773_000_000
const call = { from: 'PBX One', uniq: 'c-9', phone: '441134960000', duration: 54, service_code: 'pbx_one' }
const form = { form_id: 'f1', form_name: 'Ask us', form_page: 'https://shop.example', ip: '192.0.2.1' }

/** The id of what an answer of either API has as its first item. */
const firstId = (body: unknown): number => {
  const found = /"id":(\d+)/.exec(JSON.stringify(body))
  if (!found) throw new Error(`There is no id in ${JSON.stringify(body)}`)
  return Number(found[1])
}

/** The uid of the incoming lead that an answer of either API has first. */
const firstUid = (body: unknown): string => /[0-9a-f]{60}/.exec(JSON.stringify(body))?.[0] ?? ''

export async function sendOlderSignIn({ admin }: World, v4: Client): Promise<void> {
  const { client_id } = await register(admin)
  const token = { name: 'Old client', days: 30 }
  const issued = await admin.browser.post(`/web/installations/${client_id}/long-lived-tokens`, token)
  const credentials = { USER_LOGIN: admin.email, USER_HASH: issued.body.access_token }
  await v4.post('/private/api/auth.php?type=json', credentials)
}

export async function sendFirstApi(v4: Client): Promise<void> {
  const at = (path: string) => `/private/api/v2/json/${path}`
  const set = async (path: string, name: string, actions: object): Promise<number> =>
    firstId((await v4.post(at(`${path}/set`), { request: { [name]: actions } })).body)
  await v4.get(at('accounts/current'))
  const lead = await set('leads', 'leads', {
    add: [{ name: 'Kitchen for the Stones', price: 900, tags: 'oak' }],
  })
  const contact = await set('contacts', 'contacts', {
    add: [{ name: 'Ann Stone', linked_leads_id: [lead], company_name: 'Stone and Sons' }],
  })
  await set('company', 'contacts', { add: [{ name: 'Stone Interiors' }] })
  const on = { element_id: lead, element_type: 2 }
  await set('tasks', 'tasks', { add: [{ ...on, task_type: 1, text: 'Call back', complete_till: WEEK }] })
  await set('notes', 'notes', { add: [{ ...on, note_type: 4, text: 'Prefers calls in the morning.' }] })
  const customer = await set('customers', 'customers', { add: [{ name: 'Ann Stone', next_date: WEEK }] })
  await set('transactions', 'transactions', {
    add: [{ customer_id: customer, price: 120, comment: 'A table' }],
  })
  const list = await set('catalogs', 'catalogs', { add: [{ name: 'Tables' }] })
  await set('catalog_elements', 'catalog_elements', { add: [{ catalog_id: list, name: 'Oak table' }] })
  await v4.post(at('links/set'), {
    request: { links: { link: [{ from: 'leads', from_id: lead, to: 'contacts', to_id: contact }] } },
  })
  const pipeline = await set('pipelines', 'pipelines', {
    add: [{ name: 'Tables', sort: 30, statuses: [{ name: 'Measured', sort: 10, color: '#fffeb2' }] }],
  })
  const webhooks = { url: 'https://shop.example/first', events: ['add_lead'] }
  for (const action of ['subscribe', 'unsubscribe'])
    await v4.post(at(`webhooks/${action}`), { request: { webhooks: { [action]: [webhooks] } } })
  for (const path of [
    `leads/list?id=${lead}`,
    `contacts/list?id=${contact}`,
    'company/list?query=Stone',
    'tasks/list?type=lead',
    `notes/list?type=lead&element_id=${lead}`,
    'customers/list?limit_rows=1',
    `transactions/list?customer_id=${customer}`,
    'catalogs/list',
    `catalog_elements/list?catalog_id=${list}`,
    `links/list?links[0][from]=leads&links[0][from_id]=${lead}`,
    `contacts/links?contacts_link=${contact}`,
    `pipelines/list?id=${pipeline}`,
    'webhooks/list',
  ])
    await v4.get(at(path))
  await v4.post(at('pipelines/delete'), { request: { id: [pipeline] } })
  await sendUnsorted(v4)
}

async function sendUnsorted(v4: Client): Promise<void> {
  const add = async (name: string): Promise<string> => {
    const item = {
      source: 'Our site',
      source_uid: 'site',
      source_data: { form_id: form.form_id, form_name: form.form_name, from: form.form_page },
      data: { leads: [{ name }], contacts: [{ name: 'Ann Stone' }] },
    }
    const request = { unsorted: { category: 'forms', add: [item] } }
    return firstUid((await v4.post('/api/unsorted/add', { request })).body)
  }
  const [accepted, declined] = [await add('A question'), await add('Another question')]
  await v4.get('/api/unsorted/list?page_size=1')
  await v4.get('/api/unsorted/get_all_summary')
  await v4.post('/api/unsorted/accept', { request: { unsorted: { accept: [accepted] } } })
  await v4.post('/api/unsorted/decline', { request: { unsorted: { decline: [declined] } } })
}

export async function sendSecondApi(v4: Client): Promise<void> {
  const at = (path: string) => `/api/v2/${path}`
  const set = async (path: string, body: object): Promise<number> =>
    firstId((await v4.post(at(path), body)).body._embedded)
  await v4.get(at('account?with=task_types'))
  const lead = await set('leads', { add: [{ name: 'Roof for the Stones', sale: 700, tags: 'oak' }] })
  const contact = await set('contacts', { add: [{ name: 'Bea Stone', leads_id: [lead] }] })
  await set('companies', { add: [{ name: 'Stone Roofs', contacts_id: [contact] }] })
  const on = { element_id: lead, element_type: 2 }
  await set('tasks', { add: [{ ...on, task_type: 1, text: 'Call back', complete_till_at: WEEK }] })
  const text = { ...on, note_type: 10, params: { PHONE, UNIQ: 'c-8', DURATION: 54, SRC: 'pbx_one' } }
  await set('notes', { add: [text] })
  const customer = await set('customers', { add: [{ name: 'Bea Stone', next_date: WEEK }] })
  const purchase = await set('transactions', { add: [{ customer_id: customer, price: 90 }] })
  await v4.post(at('transactions/comment'), { update: [{ transaction_id: purchase, comment: 'Tiles' }] })
  const list = await set('catalogs', { add: [{ name: 'Tiles' }] })
  await set('catalog_elements', { add: [{ catalog_id: list, name: 'Red tile' }] })
  const field = { name: 'Courier', field_type: 1, element_type: 2, origin: 'courier_1', is_editable: true }
  await v4.post(at('fields'), { add: [field] })
  const webhook = { url: 'https://shop.example/second', events: ['add_lead'] }
  for (const action of ['subscribe', 'unsubscribe'])
    await v4.post(at(`webhooks/${action}`), { [action]: [webhook] })
  for (const path of [
    `leads?id=${lead}`,
    `contacts?id=${contact}`,
    'companies?query=Roofs',
    'tasks?type=lead',
    `notes?type=lead&element_id=${lead}`,
    'customers?limit_rows=1',
    `transactions?customer_id=${customer}`,
    'catalogs',
    `catalog_elements?catalog_id=${list}`,
    'pipelines',
    'webhooks',
  ])
    await v4.get(at(path))
  await sendIncoming(v4)
  const { body } = await v4.get('/api/v4/bots')
  const bot_id = body._embedded.items[0].id
  await v4.post(at('salesbot/run'), [{ bot_id, entity_id: lead, entity_type: 2 }])
}

async function sendIncoming(v4: Client): Promise<void> {
  const at = (path: string) => `/api/v2/incoming_leads${path}`
  const add = async (path: string, incoming_lead_info: object): Promise<string> => {
    const incoming_entities = { leads: [{ name: 'Roof' }], contacts: [{ name: 'Bea Stone' }] }
    const item = { source_name: 'Our site', source_uid: path, incoming_lead_info, incoming_entities }
    return firstUid((await v4.post(at(path), { add: [item] })).body)
  }
  const [accepted, declined] = [await add('/sip', call), await add('/form', form)]
  await v4.get(at('?page_size=1'))
  await v4.get(at('/summary'))
  await v4.post(at('/accept'), { accept: [accepted] })
  await v4.post(at('/decline'), { decline: [declined] })
}
