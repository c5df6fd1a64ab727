import { expect, test } from 'vitest'
import { connected } from '../../../test/fixtures/chats.ts'
import { log } from '../../../test/fixtures/records.ts'
import { world } from '../../../test/world.ts'
import { findActor } from '../../accounts/accounts.ts'
import { seedHistory } from './demo-history.ts'
import { connect } from './demo-tokens.ts'

test('the demo shop has two hundred leads with fields, tags and tasks, and a consistent log', async () => {
  const here = await world()
  const { ctx, admin, account, clock } = here
  const at = { account_id: account.id, user_id: admin.id }
  const actor = await findActor(ctx, at, { integration: null, request_id: 'demo', address: '127.0.0.1' })
  if (!actor) throw new Error('no actor')
  const { channel, scope_id } = await connected(here)
  await seedHistory(ctx, actor, { ...channel, scope_id }, connect)
  const read = async (path: string) => (await admin.browser.get(`/web/v4/${path}`)).body._embedded
  const { leads } = await read('leads?limit=250&with=contacts')
  expect([leads.length, (await read('contacts?limit=250')).contacts.length]).toEqual([205, 120])
  expect([(await read('leads/pipelines')).pipelines.length, (await read('users')).users.length]).toEqual([
    2, 4,
  ])
  const filled = leads.map(
    (lead: { custom_fields_values: object[] | null }) => lead.custom_fields_values?.length ?? 0,
  )
  const having = (many: number) => filled.filter((one: number) => one === many).length
  // Leads from chats have no fields yet; those with a parcel also have the two courier fields.
  expect([having(0), having(5), having(7)]).toEqual([5, 120, 80])
  const { tasks } = await read('tasks?limit=250')
  const done = tasks.filter((task: { is_completed: boolean }) => task.is_completed)
  expect([tasks.length > 50, done.length > 20]).toEqual([true, true])

  const notes = (await read('leads/notes?limit=250&filter[note_type]=common,call_in,call_out,sms_out')).notes
  expect(notes.length > 100).toBe(true)

  const rows = await ctx.db.selectFrom('events').select(['id', 'created_at']).orderBy('id').execute()
  const times = rows.map(({ created_at }) => created_at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect([(times.at(-1) as number) <= clock.now(), clock.now() - (times[0] as number) > 35 * 86_400]).toEqual(
    [true, true],
  )
  const { integrations } = await read('events/integrations')
  const courier = integrations.find(({ name }: { name: string }) => name === 'Courier')
  const parcels = (await read(`events?limit=250&filter[integration]=${courier.id}`)).events
  expect(parcels.length > 100).toBe(true)
  expect(new Set(parcels.map(({ type }: { type: string }) => type))).toEqual(
    new Set(['custom_field_value_changed']),
  )
  // The integration was last used when it changed a parcel last.
  const { installations } = (await admin.browser.get('/web/installations')).body
  const used = installations.find(
    ({ integration }: { integration: { name: string } }) => integration.name === 'Courier',
  )
  expect(used.last_used_at).toBe(parcels[0].created_at)
  // The stage of each lead is that of its last event.
  const moved = (await log(ctx)).filter(({ type }) => type === 'lead_status_changed')
  const last = new Map(moved.map(({ entity, after }) => [entity[1], after[0]]))
  for (const { id, status_id, pipeline_id } of leads)
    if (last.has(id)) expect(last.get(id)).toEqual({ lead_status: { id: status_id, pipeline_id } })
  expect(last.size > 100).toBe(true)
})

test('every page has data: chats, a field of a service, a list, customers and due tasks', async () => {
  const here = await world()
  const { ctx, admin, account, clock } = here
  const at = { account_id: account.id, user_id: admin.id }
  const actor = await findActor(ctx, at, { integration: null, request_id: 'demo', address: '127.0.0.1' })
  if (!actor) throw new Error('no actor')
  const { channel, scope_id } = await connected(here)
  await seedHistory(ctx, actor, { ...channel, scope_id }, connect)
  const read = async (path: string) => (await admin.browser.get(`/web/v4/${path}`)).body._embedded

  const { chats } = await read('chats')
  expect(chats.map(({ unread_count }: { unread_count: number }) => unread_count)).toEqual([2, 0, 0, 0, 0])
  expect(
    chats.map(({ _embedded }: { _embedded: { lead: { name: string } } }) => _embedded.lead.name),
  ).toEqual([
    expect.stringMatching(/^Lead #\d+$/),
    ...['Duna Gravel, blue', 'Bora Cargo, blue', 'Aria City: brakes', 'Faro Folding, black'],
  ])
  const { messages } = await read(`chats/${chats[1].id}/messages`)
  const kinds = messages
    .map(({ type, state }: { type: string; state: string }) => `${type} ${state}`)
    .toSorted()
  expect(kinds).toEqual(['picture received', 'text read', 'text read', 'text received', 'text received'])
  // No delivery waits for a provider that is not running.
  expect(await ctx.db.selectFrom('deliveries').select('id').execute()).toEqual([])

  const { custom_fields } = await read('leads/custom_fields?limit=50')
  const locked = custom_fields.filter(({ disabled }: { disabled: boolean }) => disabled)
  expect(locked.map(({ name, origin }: { name: string; origin: string }) => [name, origin])).toEqual([
    ['Delivery', 'swift-courier'],
    ['Parcel number', 'swift-courier'],
  ])
  const [catalog] = (await read('catalogs')).catalogs
  const { elements } = await read(`catalogs/${catalog.id}/elements?limit=50`)
  const { customers } = await read('customers?limit=50')
  expect([catalog.name, elements.length, customers.length]).toEqual(['Bicycles', 14, 16])
  expect(customers.filter(({ ltv }: { ltv: number }) => ltv > 0).length > 8).toBe(true)
  const due = (await read('tasks?limit=250&filter[is_completed]=0')).tasks.map(
    ({ complete_till }: { complete_till: number }) => Math.floor(complete_till / 86_400),
  )
  const today = Math.floor(clock.now() / 86_400)
  const within = (from: number, to: number) => due.filter((day: number) => day >= from && day <= to).length
  expect([within(today, today) >= 3, within(today + 1, today + 7) >= 3, within(0, today - 1) < 12]).toEqual([
    true,
    true,
    true,
  ])
  expect((await read('leads/notes?limit=50&filter[note_type]=attachment')).notes.length).toBe(10)
})
