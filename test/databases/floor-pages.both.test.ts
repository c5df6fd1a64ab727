import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { logOf } from '../../bench/floors/event-pages.ts'
import { type Pages, pagesOf } from '../../bench/floors/pages.ts'
import { type Constants, openStore } from '../../bench/floors/rows.ts'
import { completeRights } from '../../src/accounts/members/rights.ts'
import { connect, register } from '../fixtures/integrations.ts'
import { addAll } from '../fixtures/records.ts'
import { world } from '../world.ts'
import { kindOfRun } from './databases.ts'

const drafts = [
  { name: 'Text', type: 'text' },
  { name: 'Choice', type: 'select', enums: ['a', 'b'].map((value, sort) => ({ value, sort })) },
  { name: 'Yes or no', type: 'checkbox' },
]

const valued = (fields: Constants['fields']) =>
  fields.map(({ id, type, enums }) => ({
    field_id: id,
    values: [type === 'select' ? { enum_id: enums[1]?.id } : { value: type === 'text' ? 'long' : true }],
  }))

/** An account with records of each kind, tags, links, values and tasks, and the pages of the floor on the same database. */
async function both() {
  const { ctx, admin, stranger, addPerson, folder } = await world()
  const { access_token } = await connect(stranger, await register(admin))
  const caller = stranger.as({ token: access_token })
  const [list] = (await addAll(caller, 'catalogs', [{ name: 'Goods' }])) as [number]
  const fields: Constants['fields'] = []
  for (const home of ['leads', 'contacts', 'companies', `catalogs/${list}`]) {
    const made = await admin.browser.post(`/web/v4/${home}/custom_fields`, drafts)
    fields.push(
      ...made.body._embedded.custom_fields.map((field: (typeof fields)[number]) => ({
        ...field,
        enums: field.enums ?? [],
      })),
    )
  }
  const fieldsOf = (n: number) => valued(fields.slice(3 * n, 3 * n + 3))
  const tagged = { _embedded: { tags: [{ name: 'new' }] } }
  const [company] = await addAll(caller, 'companies', [
    { name: 'One', ...tagged, custom_fields_values: fieldsOf(2) },
    { name: 'Two' },
  ])
  const ofCompany = { _embedded: { companies: [{ id: company }], tags: [{ name: 'new' }, { name: 'old' }] } }
  await addAll(caller, 'contacts', [
    { name: 'Ada', first_name: 'Ada', ...ofCompany, custom_fields_values: fieldsOf(1) },
    { name: 'Ben' },
  ])
  const [lead] = await addAll(caller, 'leads', [
    { name: 'A "bicycle"', price: 12.5, ...ofCompany, custom_fields_values: fieldsOf(0) },
    { name: 'None' },
  ])
  await addAll(caller, `catalogs/${list}/elements`, [{ name: 'Bell', custom_fields_values: fieldsOf(3) }])
  await addAll(caller, 'tasks', [
    { text: 'Call', complete_till: 1_900_000_000, entity_id: lead, entity_type: 'leads' },
    { text: 'Buy', complete_till: 1_900_000_001, is_completed: true, result: { text: 'Done' } },
  ])
  const eve = await addPerson({ name: 'Eve', rights: ownOnly })
  const [own] = (await addAll(caller, 'leads', [{ name: 'Hers', responsible_user_id: eve.id }])) as [number]
  await addAll(caller, 'tasks', [
    { text: 'Of her lead', complete_till: 1_900_000_002, entity_id: own, entity_type: 'leads' },
    { text: 'Hers', complete_till: 1_900_000_003, responsible_user_id: eve.id },
  ])
  const read = async (path: string) => (await caller.get(`/api/v4/${path}`)).body
  const readAsEve = async (path: string) => (await eve.browser.get(`/web/v4/${path}`)).body
  const { account_id, _links } = (await read('leads'))._embedded.leads[0]
  const base = _links.self.href.replace(/\/leads\/\d+$/, '')
  const address = kindOfRun() === 'postgres' ? ctx.config.database_url : join(folder, 'patchbay.db')
  const constants = { account_id, base, fields, user_id: 0, integration: 0, pipeline_id: 0, status_id: 0 }
  const owners = { many: eve.id, few: eve.id }
  const store = await openStore(kindOfRun(), address, { ...constants, owners })
  onTestFinished(() => store.close())
  const pages = pagesOf(store.read, constants)
  return { read, readAsEve, pages, log: logOf(store.read, constants), lead: own, list, fields }
}

/** Only own records; no lists. */
const own = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' } as const
const ownOnly = completeRights({
  leads: own,
  contacts: own,
  companies: own,
  tasks: { edit: 'M', delete: 'M' },
})

test('the floor of pages answers what the real program answers', async () => {
  const { read, pages, lead, list, fields } = await both()
  const compare = async (path: string, page: ReturnType<Pages['tasks']>, count: number) => {
    const { _page, _links, ...real } = await read(path)
    expect(Object.values(real._embedded as Record<string, unknown[]>)[0]).toHaveLength(count)
    expect(await page).toEqual({ ...real, _page, _links: { self: { href: expect.any(String) } } })
  }
  await compare('leads', pages.leads(), 3)
  await compare('contacts', pages.contacts(), 2)
  await compare('companies', pages.companies(), 2)
  await compare(`catalogs/${list}/elements`, pages.elements(list), 1)
  await compare('tasks', pages.tasks(), 4)
  const choice = fields[1]?.enums[1]?.id
  const filter = `leads?filter[custom_fields_values][${fields[1]?.id}][]=${choice}`
  await compare(encodeURI(filter), pages.leadsWith(fields[1]?.id as number, String(choice)), 1)
  expect(await pages.lead(lead)).toEqual(await read(`leads/${lead}`))
})

test('the floor of the log answers what the real program answers to the same person', async () => {
  const { read, readAsEve, log } = await both()
  const sameAs = async ({ _links, ...real }: Record<string, unknown>, text: Promise<string>) => {
    const { _links: _, ...floor } = JSON.parse(await text)
    expect(floor).toEqual(real)
    return (floor._embedded.events as { id: string }[]).length
  }
  expect(await sameAs(await read('events?limit=250'), log.events())).toBeGreaterThan(20)
  const hers = JSON.parse(
    JSON.stringify(await readAsEve('events?limit=250')).replaceAll('/web/v4', '/api/v4'),
  )
  expect(hers._embedded.events).toHaveLength(3)
  await sameAs(hers, log.eventsOfMany())
  await sameAs(hers, log.eventsOfFew())
  const [{ id }] = hers._embedded.events
  expect(JSON.parse(await log.event(id))).toEqual(await read(`events/${id}`))
})
