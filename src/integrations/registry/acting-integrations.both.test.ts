import { describe, expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { automated } from '../../../test/fixtures/automation.ts'
import { connected } from '../../../test/fixtures/chats.ts'
import { connect, consent, type Registered, register } from '../../../test/fixtures/integrations.ts'
import { imported, moved } from '../../../test/fixtures/jobs.ts'
import { legacyClient } from '../../../test/fixtures/legacy.ts'
import { textPush } from '../../../test/fixtures/pushes.ts'
import { add } from '../../../test/fixtures/records.ts'
import { world } from '../../../test/world.ts'

/** A world with an integration, and a client with its token. */
async function withCourier() {
  const here = await world()
  const integration = await register(here.admin, { name: 'Courier', permissions: ['crm', 'chats', 'files'] })
  const caller = here.stranger.as({ token: (await connect(here.stranger, integration)).access_token })
  return { ...here, integration, caller, courier: { id: integration.client_id, name: 'Courier' } }
}
type Scene = Awaited<ReturnType<typeof withCourier>>

const page = async (client: Client, path: string) => {
  const { status, body, text } = await client.get(path)
  if (status !== 200 && status !== 204) throw new Error(`${status} ${text}`)
  return body
}

const events = async (client: Client, query = ''): Promise<Record<string, unknown>[]> =>
  (await page(client, `/web/v4/events?limit=250&with=integration&${query}`))._embedded.events

const note = { note_type: 'common', params: { text: 'On its way' } }

/** Rows, each with a function that creates it and returns its path, and the change that a person makes in it. */
const rows: [what: string, (scene: Scene) => Promise<string>, patch: object][] = [
  ...(['leads', 'contacts', 'companies', 'customers'] as const).map((type): (typeof rows)[number] => [
    type,
    async ({ caller }) => `${type}/${await add(caller, type, { name: 'Parcel' })}`,
    { name: 'Box' },
  ]),
  [
    'an element of a list',
    async ({ caller, admin }) => {
      const list = await add(admin.browser, 'catalogs', { name: 'Goods' })
      return `catalogs/${list}/elements/${await add(caller, `catalogs/${list}/elements`, { name: 'Box' })}`
    },
    { name: 'Crate' },
  ],
  [
    'a task',
    async ({ caller }) => `tasks/${await add(caller, 'tasks', { text: 'Call', complete_till: 9 })}`,
    { text: 'Go' },
  ],
  [
    'a note',
    async ({ caller, admin }) => {
      const lead = await add(admin.browser, 'leads')
      return `leads/${lead}/notes/${await add(caller, `leads/${lead}/notes`, note)}`
    },
    { params: { text: 'Here' } },
  ],
]

describe('A row says which integration acted', () => {
  test.each(rows)('%s', async (_what, make, patch) => {
    const scene = await withCourier()
    const { admin, caller, courier } = scene
    const path = await make(scene)
    const made = await page(admin.browser, `/web/v4/${path}?with=integration`)
    expect(made).toMatchObject({
      created_by: admin.id,
      created_by_integration: courier,
      updated_by_integration: courier,
    })
    const plain = await page(caller, `/api/v4/${path}`)
    expect(Object.keys(plain).filter((name) => name.endsWith('integration'))).toEqual([])
    expect((await admin.browser.patch(`/web/v4/${path}`, patch)).status).toBe(200)
    const changed = await page(caller, `/api/v4/${path}?with=integration`)
    expect(changed).toMatchObject({ created_by_integration: courier, updated_by_integration: null })
    const list = path.split('/').slice(0, -1).join('/')
    const listed = await page(admin.browser, `/web/v4/${list}?with=integration&limit=250`)
    const found = (Object.values(listed._embedded)[0] as { id: number }[]).find(({ id }) => id === made.id)
    expect(found).toMatchObject({ created_by_integration: courier, updated_by_integration: null })
    // The log says the same. It has no event for a new element.
    const acting = (await events(admin.browser)).map((event) => event.created_by_integration)
    if (!path.startsWith('catalogs')) expect(acting).toContainEqual(courier)
    expect(acting.every((one) => one === null || (one as typeof courier).id === courier.id)).toBe(true)
  })

  test('a record that an integration moves to the trash, and one that it merges', async () => {
    const { admin, caller, courier, clock } = await withCourier()
    const [one, other, third] = await Promise.all([1, 2, 3].map(() => add(admin.browser, 'contacts')))
    clock.advance(60)
    expect((await caller.delete(`/api/v4/contacts/${one}`)).status).toBe(204)
    const gone = await page(admin.browser, `/web/v4/contacts/${one}?with=integration,only_deleted`)
    expect(gone).toMatchObject({ created_by_integration: null, updated_by_integration: courier })
    expect((await caller.post('/api/v4/contacts/merge', { id: other, merge: [third] })).status).toBe(200)
    const kept = await page(admin.browser, `/web/v4/contacts/${other}?with=integration`)
    expect(kept).toMatchObject({ created_by_integration: null, updated_by_integration: courier })
  })

  test('a record of the legacy API', async () => {
    const here = await world()
    const { set } = await legacyClient(here)
    expect((await set('leads/set', { leads: { add: [{ name: 'Old' }] } })).status).toBe(200)
    const [lead] = (await page(here.admin.browser, '/web/v4/leads?with=integration'))._embedded.leads
    expect(lead).toMatchObject({ name: 'Old', created_by_integration: { name: 'Shop' } })
  })

  test('a job and what it writes later; a person who undoes it acts alone', async () => {
    const scene = await withCourier()
    const { admin, caller, courier } = scene
    const job = await imported(scene, caller, 'contacts', 'Name\nAnn\nBen\n', {
      mapping: [{ column: 0, target: 'name' }],
    })
    expect(job).toMatchObject({ state: 'done', added: 2, created_by_integration: courier })
    const added = await events(admin.browser, 'filter[type]=contact_added')
    expect(added.map((event) => event.created_by_integration)).toEqual([courier, courier])
    const undone = await moved(scene, admin.browser, job.id, 'undo')
    expect(undone).toMatchObject({ state: 'undone', created_by_integration: courier })
    const deleted = await events(admin.browser, 'filter[type]=contact_deleted')
    expect(deleted.map((event) => event.created_by_integration)).toEqual([null, null])
  })

  test('what the integration of a channel pushes, and what an integration writes; not what the bot answers', async () => {
    const scene = await withCourier()
    const { admin, caller, courier } = scene
    await admin.browser.post('/web/v4/chats/intents', {
      name: 'Hours',
      phrases: ['open'],
      answer: 'From nine',
    })
    const line = await connected(scene, { protocol: 'live', integration_id: courier.id })
    const text = { type: 'text', text: 'Are you open?' }
    expect((await line.push(textPush('m-1', { message: text }))).status).toBe(200)
    const [chat] = (await page(admin.browser, '/web/v4/chats'))._embedded.chats
    await caller.post(`/api/v4/chats/${chat.id}/messages`, { text: 'From us' })
    await admin.browser.post(`/web/v4/chats/${chat.id}/messages`, { text: 'From me' })
    const { messages } = (await page(admin.browser, `/web/v4/chats/${chat.id}/messages?with=integration`))
      ._embedded
    expect(
      messages.map((one: { text: string; by_integration: object }) => [one.text, one.by_integration]),
    ).toEqual([
      ['From me', null],
      ['From us', courier],
      ['From nine', null],
      ['Are you open?', courier],
    ])
    const found = await events(admin.browser)
    const by = (type: string) =>
      found.filter((one) => one.type === type).map((one) => one.created_by_integration)
    expect([by('incoming_chat_message'), by('lead_added'), by('contact_added'), by('robot_replied')]).toEqual(
      [[courier], [courier], [courier], [null]],
    )
    const timeline = await page(admin.browser, `/web/v4/leads/${chat.lead_id}/timeline?with=integration`)
    const items: { message: { text: string; by_integration: object } | null }[] = timeline._embedded.items
    expect(items.find(({ message }) => message?.text === 'From us')?.message?.by_integration).toEqual(courier)
    const plain = await admin.browser.get(`/web/v4/leads/${chat.lead_id}/timeline`)
    expect(plain.text).not.toContain('by_integration')
    const audit = await page(admin.browser, '/web/audit?filter[area]=chats')
    const connection = audit.entries.find(({ action }: { action: string }) => action === 'channel.connected')
    expect(connection.by_integration).toEqual(courier)
  })

  test('changes of settings in the audit log, which finds them by integration', async () => {
    const { admin, caller, courier } = await withCourier()
    const other = await register(admin, { name: 'Other' })
    await caller.post('/api/v4/leads/loss_reasons', [{ name: 'Lost parcel' }])
    await admin.browser.post('/web/v4/leads/loss_reasons', [{ name: 'Price' }])
    const entries = async (query: string) =>
      (await page(admin.browser, `/web/audit?${query}`)).entries.map(
        (one: { action: string; details: { name: string }; by_integration: object }) => [
          `${one.action} ${one.details.name}`,
          one.by_integration,
        ],
      )
    const all = await entries('filter[area]=pipelines')
    expect(all).toEqual([
      ['loss_reason.added Price', null],
      ['loss_reason.added Lost parcel', courier],
    ])
    expect(await entries(`filter[integration]=${courier.id}`)).toEqual([all[1]])
    expect(await entries(`filter[integration]=${courier.id}&filter[area]=pipelines`)).toEqual([all[1]])
    expect(await entries(`filter[integration]=${courier.id}&filter[area]=fields`)).toEqual([])
    expect(await entries(`filter[integration]=${other.client_id}`)).toEqual([])
    expect(await entries('filter[integration]=nobody')).toEqual([])
  })
})

describe('The log of an integration', () => {
  /** Four leads by turns of two integrations and a person. */
  async function history(scene: Scene) {
    const { admin, stranger, caller } = scene
    const other = await register(admin, { name: 'Other' })
    const second = stranger.as({ token: (await connect(stranger, other)).access_token })
    const ids: number[] = []
    for (const client of [caller, second, admin.browser, caller]) ids.push(await add(client, 'leads'))
    return { ids, other }
  }
  const idsOf = (found: Record<string, unknown>[]) => found.map((event) => event.entity_id)

  test('is filtered by one, several and unknown integrations, in pages, counts and exports', async () => {
    const scene = await withCourier()
    const { admin, courier } = scene
    const { ids, other } = await history(scene)
    const [one, two, , four] = ids
    const of = (...clients: string[]) => `filter[integration]=${clients.join(',')}`
    const asked = async (query: string) => idsOf(await events(admin.browser, query))
    expect(await asked(of(courier.id))).toEqual([four, one])
    expect(await asked(of(courier.id.toUpperCase(), courier.id))).toEqual([four, one])
    expect(await asked(of(courier.id, other.client_id, 'x'))).toEqual([four, two, one])
    expect(await asked(of('x'))).toEqual([])
    expect(await asked(`${of(courier.id)}&filter[type]=lead_added&filter[created_by]=${admin.id}`)).toEqual([
      four,
      one,
    ])
    expect(await asked(`${of(courier.id)}&filter[entity]=lead&filter[entity_id]=${one}`)).toEqual([one])
    expect(await asked(`${of(courier.id)}&filter[type]=lead_deleted`)).toEqual([])
    const paged: unknown[] = []
    for (let path = `/web/v4/events?limit=1&${of(courier.id, other.client_id)}`; path; ) {
      const { _embedded, _links } = await page(admin.browser, path)
      paged.push(...idsOf(_embedded.events))
      path = _links.next?.href
    }
    expect(paged).toEqual([four, two, one])
    const counted = await page(admin.browser, `/web/v4/events/counts?${of(courier.id)}`)
    expect(counted._embedded.counts.at(-1).count).toBe(2)
    const many = Array.from({ length: 11 }, (_, i) => `x${i}`)
    const refused = await admin.browser.get(`/web/v4/events?${of(...many)}`)
    expect([refused.status, refused.body['validation-errors'][0].errors[0].path]).toEqual([
      400,
      'filter.integration',
    ])
  })

  test('is in the exports as in the list, and an export without it stays as it was', async () => {
    const scene = await withCourier()
    const { courier, caller } = scene
    const { ids } = await history(scene)
    const path = `/api/v4/events?filter[integration]=${courier.id}`
    const csv = (await caller.get(path, { accept: 'text/csv' })).text.split('\r\n')
    expect(csv[0]).toBe(
      'id,type,entity_type,entity_id,entity_name,created_by,created_at,value_after,value_before',
    )
    const withNames = (await caller.get(`${path}&with=integration`, { accept: 'text/csv' })).text.split(
      '\r\n',
    )
    expect(withNames.map((line) => line.endsWith(`,"${courier.id}","Courier"`) || line)).toEqual([
      `${csv[0]},integration_id,integration_name`,
      true,
      true,
      '',
    ])
    const lines = (await caller.get(`${path}&with=integration`, { accept: 'application/x-ndjson' })).text
    const exported = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(exported).toEqual((await page(caller, `${path}&with=integration`))._embedded.events)
    expect(exported.map(({ created_by_integration }) => created_by_integration)).toEqual([courier, courier])
    const plain = (await caller.get('/api/v4/events')).text
    expect(plain).not.toContain('integration')
    expect(plain).toContain(`"entity_id":${ids[0]}`)
  })

  test('shows a person what they may see, and a stranger nothing', async () => {
    const scene = await withCourier()
    const { admin, courier, addPerson, stranger } = scene
    const { ids } = await history(scene)
    const of = (view: 'M' | 'D') => ({ view, edit: view, add: 'A', delete: view, export: view }) as const
    const sam = await addPerson({ name: 'Sam', rights: { leads: of('M') } })
    const query = `filter[integration]=${courier.id}`
    expect(await events(sam.browser, query)).toEqual([])
    await admin.browser.patch(`/web/v4/leads/${ids[0]}`, { responsible_user_id: sam.id })
    const seen = await events(sam.browser, query)
    expect(seen.map((event) => [event.entity_id, event.created_by_integration])).toEqual([[ids[0], courier]])
    for (const path of ['/web/v4/events', '/web/v4/events/integrations'])
      expect((await stranger.get(`${path}?${query}`)).status).toBe(401)
    const elsewhere = await scene.addAccount('elsewhere')
    const eve = await addPerson({ name: 'Eve', account: elsewhere, is_admin: true })
    expect(await events(eve.browser, query)).toEqual([])
    expect((await page(eve.browser, '/web/v4/events/integrations'))._embedded.integrations).toEqual([])
  })
})

describe('The name of an integration that acted', () => {
  const integrations = async (client: Client) =>
    (await page(client, '/web/v4/events/integrations'))._embedded.integrations

  test('is in a list for everybody in the account, and stays when the integration is renamed or disabled', async () => {
    const { admin, caller, courier, addPerson } = await withCourier()
    const sam = await addPerson({ name: 'Sam' })
    await add(caller, 'leads')
    await register(admin, { name: 'Another' })
    const [first, ...others] = await integrations(sam.browser)
    expect([first.name, others]).toEqual(['Another', [courier]])
    await admin.browser.patch(`/web/integrations/${courier.id}`, { name: 'Swift' })
    expect((await admin.browser.post(`/web/installations/${courier.id}/disable`)).status).toBe(204)
    const swift = { ...courier, name: 'Swift' }
    expect((await integrations(sam.browser))[1]).toEqual(swift)
    const [event] = await events(admin.browser, `filter[integration]=${courier.id}`)
    expect(event?.created_by_integration).toEqual(swift)
    const one = await page(admin.browser, `/web/v4/events/${event?.id}?with=integration`)
    expect(one).toEqual(event)
  })

  test('comes with a handle in the account of somebody else, and the handle is a filter', async () => {
    const here = await world({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } })
    const shop: Registered = await register(here.admin, { name: 'Shop', access: 'public' })
    const other = await here.addAccount('other')
    const boss = await here.addPerson({ name: 'Boss', account: other, is_admin: true })
    const { code } = await consent(boss, shop)
    const host = here.ctx.hosts.accountHost('other')
    const token = (await connect(here.stranger.as({ host }), shop, code)).access_token
    await add(here.stranger.as({ host, token }), 'leads')
    const [known] = await integrations(boss.browser)
    expect([known.name, known.id === shop.client_id]).toEqual(['Shop', false])
    const found = await events(boss.browser, `filter[integration]=${known.id}`)
    expect(found.map((event) => event.created_by_integration)).toEqual([known])
    expect(JSON.stringify(await events(boss.browser))).not.toContain(shop.client_id)
    expect(await events(here.admin.browser, `filter[integration]=${shop.client_id}`)).toEqual([])
  })

  test('is not mixed up when integrations are registered at once', async () => {
    const { admin, ctx } = await world()
    const made = await Promise.all(Array.from({ length: 8 }, (_, i) => register(admin, { name: `No. ${i}` })))
    const numbers = await ctx.actingIntegrations.numbersOf(
      ctx,
      made.map(({ client_id }) => client_id),
    )
    expect(new Set(numbers).size).toBe(8)
  })
})

test('Rules of a stage act for no integration, though one has caused them', async () => {
  const here = await withCourier()
  const { stages, rule, run, pipeline } = await automated(here)
  const [status_id] = stages as [number]
  await rule({ status_id, action: { type: 'create_task', text: 'Pack' } })
  await add(here.caller, 'leads', { status_id, pipeline_id: pipeline.id })
  await run()
  const found = await events(here.admin.browser)
  expect(found.map(({ type, created_by_integration }) => [type, created_by_integration])).toEqual([
    ['task_added', null],
    ['lead_added', here.courier],
  ])
})
