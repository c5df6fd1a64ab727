import type { Client } from '../client.ts'
import type { World } from '../world.ts'

/** Changes of several pipelines, stages and tags, and lists that need nothing else. */
export async function sendMoreSettings(v4: Client): Promise<void> {
  await v4.get('/api/v4/currencies?limit=2')
  const { body } = await v4.get('/api/v4/leads/pipelines')
  const [pipeline] = body._embedded.pipelines
  const stage = pipeline._embedded.statuses.find((one: { is_editable: boolean }) => one.is_editable)
  await v4.patch('/api/v4/leads/pipelines', [{ id: pipeline.id, name: 'Kitchens' }])
  await v4.patch(`/api/v4/leads/pipelines/${pipeline.id}/statuses`, [{ id: stage.id, sort: 40 }])
}

/** Products, and a call that rings. */
export async function sendProducts(v4: Client): Promise<void> {
  const settings = '/api/v4/catalogs/products/settings'
  await v4.patch(settings, { is_enabled: true, sums_leads: true })
  await v4.patch(settings, { sums_leads: false })
  await v4.get(settings)
  await v4.post('/api/v2/products_settings', { enabled: true })
  await v4.get('/api/v2/products_settings')
  await v4.post('/api/v2/events', { add: [{ type: 'phone_call', phone_number: '+1 555 0100' }] })
}

/** A lead that is linked from the side of an element. */
export async function sendElementLinks(v4: Client, lead: number): Promise<void> {
  const { body: lists } = await v4.post('/api/v4/catalogs', [{ name: 'Handles' }])
  const elements = `/api/v4/catalogs/${lists._embedded.catalogs[0].id}/elements`
  const { body } = await v4.post(elements, [{ name: 'Brass, 12 cm' }])
  const at = `${elements}/${body._embedded.elements[0].id}`
  const linked = { to_entity_id: lead, to_entity_type: 'leads' }
  await v4.post(`${at}/link`, [{ ...linked, metadata: { quantity: 8 } }])
  await v4.get(`${at}/links`)
  await v4.post(`${at}/unlink`, [linked])
}

/** A button for the site of the company. */
export async function sendButton(v4: Client): Promise<void> {
  const at = '/api/v4/website_buttons'
  const { body } = await v4.get('/api/v4/leads/pipelines')
  const draft = { pipeline_id: body._embedded.pipelines[0].id, trusted_websites: ['shop.example'] }
  const { source_id } = (await v4.post(at, draft)).body
  await v4.get(`${at}?with=scripts`)
  await v4.get(`${at}/${source_id}`)
  await v4.patch(`${at}/${source_id}`, { trusted_websites: { add: ['*.shop.example'] } })
}

/** A segment of customers. */
export async function sendSegment(v4: Client): Promise<void> {
  const at = '/api/v4/customers/segments'
  const { body } = await v4.post(at, {
    name: 'Regular',
    color: '00a44b',
    filter: 'filter[next_price][from]=100',
  })
  await v4.patch(`${at}/${body.id}`, { name: 'Loyal' })
  for (const end of ['', `/${body.id}`]) await v4.get(at + end)
}

/** A followed card. */
export async function sendFollowing(v4: Client, type: 'leads' | 'customers', id: number): Promise<void> {
  const at = `/api/v4/${type}/${id}`
  await v4.put(`${at}/subscriptions`)
  await v4.get(`${at}/subscriptions`)
  await v4.get(`${at}/followers`)
}

/** Every request that is possible with one tag of a kind. */
export async function sendTag(v4: Client, kind: string): Promise<void> {
  const tags = `/api/v4/${kind}/tags`
  const { body } = await v4.post(tags, [{ name: 'steady' }])
  const [{ id }] = body._embedded.tags
  await v4.patch(tags, [{ id, name: 'constant' }])
  await v4.patch(`${tags}/${id}`, { name: 'steady' })
  await v4.get(`${tags}/${id}`)
}

/** Reads the tokens of the caller, and then ends them: the last requests of all. */
export async function sendTokens({ ctx }: World, v4: Client): Promise<void> {
  const headers = { authorization: `Bearer ${ctx.testHelpersKey}` }
  const at = '/test_helpers/tokens'
  const { body } = await v4.get(at, headers)
  const family = `${at}/${body.families.at(-1).id}`
  await v4.get(family, headers)
  await v4.post(`${at}/explain`, { token: v4.identity.token }, headers)
  await v4.post(`${family}/lose_answer`, { timeout: 60 }, headers)
  await v4.post(`${family}/race`, { timeout: 60 }, headers)
  await v4.post(`${family}/expire`, { token: 'access_token' }, headers)
  await v4.post(`${family}/age`, { by: 'three_months' }, headers)
  await v4.post(`${family}/revoke`, undefined, headers)
}
