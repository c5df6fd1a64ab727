import { describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { kindOfRun } from '../../test/databases/databases.ts'
import { add, addAll } from '../../test/fixtures/records.ts'
import { isLong } from '../../test/long.ts'
import { type World, world } from '../../test/world.ts'
import { completeRights, type Rights, type Width } from '../accounts/members/rights.ts'
import { insertRows } from '../db/row-sets.ts'

const EVENTS = '/web/v4/events'
const of = (view: Width) => ({ view, edit: view, add: 'A', delete: view, export: view }) as const
const everywhere = (width: Width): Partial<Rights> => ({
  leads: of(width),
  contacts: of(width),
  companies: of(width),
  tasks: { edit: width, delete: width },
})

interface Shown {
  id: string
  type: string
  entity_type: string
  entity_id: number
  _embedded: { entity: { _links: { self: { href: string } } } }
}

const hrefOf = ({ _embedded }: Shown): string => _embedded.entity._links.self.href

async function scan(caller: Client, query = '', limit = 250): Promise<{ events: Shown[]; pages: number[] }> {
  const events: Shown[] = []
  const pages: number[] = []
  for (let url: string | undefined = `${EVENTS}?limit=${limit}&${query}`; url; ) {
    const {
      status,
      text,
      body,
    }: {
      status: number
      text: string
      body: { _embedded: { events: Shown[] }; _links: { next?: { href: string } } }
    } = await caller.get(url)
    if (status !== 200) throw new Error(text)
    events.push(...body._embedded.events)
    pages.push(body._embedded.events.length)
    url = body._links.next?.href
  }
  return { events, pages }
}

/** Records of all kinds and tasks, of three people in two groups, with changes to them. */
async function office(all: World) {
  const { admin, addPerson } = all
  const { browser } = admin
  const group_id = (await browser.post('/web/v4/groups', { name: 'Second' })).body.id
  const peer = await addPerson({ name: 'Peer', group_id })
  const list = await add(browser, 'catalogs', { name: 'Goods' })
  const closed = await add(browser, 'catalogs', { name: 'Secrets' })
  const [pipeline] = (await browser.get('/web/v4/leads/pipelines')).body._embedded.pipelines
  const stages = pipeline._embedded.statuses.filter((stage: { type: number }) => stage.type === 0)
  const stage = { pipeline_id: pipeline.id, status_id: stages[1].id }
  const fill = async (me: number) => {
    for (const responsible_user_id of [me, peer.id, admin.id]) {
      for (const type of ['leads', 'contacts', 'companies', 'customers']) {
        const [one, gone] = await addAll(browser, type, [
          { name: 'One', responsible_user_id },
          { name: 'Gone', responsible_user_id },
        ])
        await browser.patch(`/web/v4/${type}/${one}`, { name: 'Two' })
        await browser.delete(`/web/v4/${type}/${gone}`)
        const task = {
          text: 'Call',
          complete_till: 5,
          entity_type: type,
          entity_id: one,
          responsible_user_id: admin.id,
        }
        const id = await add(browser, 'tasks', task)
        await browser.patch(`/web/v4/tasks/${id}`, { text: 'Call again' })
      }
      await add(browser, 'leads', { name: 'Staged', responsible_user_id, ...stage })
      await add(browser, 'tasks', { text: 'Alone', complete_till: 5, responsible_user_id })
      const lead = await add(browser, 'leads', { name: 'Buyer', responsible_user_id })
      for (const catalog of [list, closed]) {
        const element = await add(browser, `catalogs/${catalog}/elements`, { name: 'Nail' })
        await browser.patch(`/web/v4/catalogs/${catalog}/elements`, [{ id: element, name: 'Screw' }])
        const metadata = { catalog_id: catalog, quantity: 1 }
        const link = { to_entity_id: element, to_entity_type: 'catalog_elements', metadata }
        await browser.post(`/web/v4/leads/${lead}/link`, [link])
      }
    }
  }
  return { group_id, list, closed, stage, fill }
}

type Office = Awaited<ReturnType<typeof office>>

const stageRights = ({ stage }: Office, width: 'A' | 'D') => [
  { ...stage, entity_type: 'leads', rights: of(width) },
]
const listRights = ({ list }: Office, width: 'A' | 'D' | 'L') => [
  { catalog_id: list, rights: { view: width, edit: width, add: 'D', delete: 'D', export: 'D' } },
]

const people: [string, (office: Office) => object][] = [
  ['only their own', () => everywhere('M')],
  ['those of their group', () => everywhere('G')],
  ['nothing', () => everywhere('D')],
  ['all', () => everywhere('A')],
  ['all leads and otherwise their own', () => ({ ...everywhere('M'), leads: of('A') })],
  ['their own and one whole stage', (at) => ({ ...everywhere('M'), status_rights: stageRights(at, 'A') })],
  ['all but one stage', (at) => ({ ...everywhere('A'), status_rights: stageRights(at, 'D') })],
  ['all but lists', () => ({ ...everywhere('A'), catalog_access: false })],
  ['lists too', () => ({ ...everywhere('M'), catalog_access: true })],
  [
    'elements that are linked to visible records',
    (at) => ({ ...everywhere('M'), catalog_rights: listRights(at, 'L') }),
  ],
  ['one list', (at) => ({ ...everywhere('M'), catalog_rights: listRights(at, 'A') })],
  ['only their own tasks', () => ({ ...everywhere('A'), tasks: { edit: 'M', delete: 'M' } })],
]

/** In the short form, some of them on each database. */
const some = isLong ? people : people.filter((_, i) => i % 3 === (kindOfRun() === 'postgres' ? 0 : 1))

describe('The log shows the events of visible records and nothing else', () => {
  test.each(some)('to a person who can see %s', async (_, rightsOf) => {
    const all = await world()
    const at = await office(all)
    const rights = completeRights(rightsOf(at) as Partial<Rights>)
    const me = await all.addPerson({ name: 'Me', group_id: at.group_id, rights })
    await at.fill(me.id)
    const { events: every } = await scan(all.admin.browser)
    const { events: seen, pages } = await scan(me.browser, '', 7)

    // Compares with what the person can open directly or, for deleted records, restore.
    const isOpen = new Map<string, boolean>()
    for (const href of every.map(hrefOf)) {
      if (isOpen.has(href)) continue
      const opens = async (address: string) => (await me.browser.get(address)).status === 200
      isOpen.set(href, (await opens(href)) || (await opens(`${href}?with=only_deleted`)))
    }
    const expected = every.filter((event) => isOpen.get(hrefOf(event)))
    expect(seen).toEqual(expected)
    expect(pages.slice(0, -1).every((length) => length === 7)).toBe(true)
    for (const [href, [newest, ...older]] of Map.groupBy(every, hrefOf)) {
      for (const { id } of isLong ? [newest as Shown, ...older] : [newest as Shown]) {
        const { status } = await me.browser.get(`${EVENTS}/${id}`)
        expect([id, status]).toEqual([id, isOpen.get(href) ? 200 : 404])
      }
    }
    for (const kind of ['lead', 'contact', 'task', `catalog_${at.list}`]) {
      const { events } = await scan(me.browser, `filter[entity]=${kind}`, 5)
      expect(events).toEqual(expected.filter(({ entity_type }) => entity_type === kind))
    }
  })

  test('to a person who sees almost nothing of a long log, with correct counts and pages', async () => {
    const all = await world()
    const { admin, ctx, account } = all
    const me = await all.addPerson({ name: 'Me', rights: completeRights(everywhere('M')) })
    const mine = await addAll(
      admin.browser,
      'contacts',
      Array.from({ length: 12 }, () => ({ responsible_user_id: me.id })),
    )
    const task = { text: 'Call', complete_till: 5, entity_type: 'contacts', entity_id: mine[0] }
    await add(admin.browser, 'tasks', task)
    const theirs = await add(admin.browser, 'contacts')
    await ctx.db.transaction().execute((tx) =>
      insertRows(
        tx,
        'events',
        Array.from({ length: 30_000 }, (_, n) => ({
          account_id: account.id,
          id: `0zz${String(n).padStart(23, '0')}`,
          type: 24,
          entity_type: 'contact',
          // The newest event and one in the middle are visible.
          entity_id: n === 29_999 || n === 15_000 ? (mine[0] as number) : theirs,
          created_by: admin.id,
          created_by_integration: null,
          created_at: ctx.now(),
          value_after: '[]',
          value_before: '[]',
          field_id: null,
          field_name: null,
          talk_contact_id: null,
          card_id: null,
          request_id: 'r',
        })),
      ),
    )
    const { events, pages } = await scan(me.browser, '', 5)
    expect(pages).toEqual([5, 5, 5])
    expect(events.slice(0, 3).map(({ id }) => Number(id.slice(3)))).toEqual([29_999, 15_000, Number.NaN])
    expect(events.slice(2).map(({ type }) => type)).toEqual([
      'task_added',
      ...Array.from({ length: 12 }, () => 'contact_added'),
    ])
    const second = await me.browser.get(`${EVENTS}?limit=5&page=2`)
    expect(second.body._embedded.events).toEqual(events.slice(5, 10))
    const filtered = await scan(me.browser, 'filter[type]=contact_added,task_added', 5)
    expect(filtered.events).toEqual(events.slice(2))
    const fields = await scan(me.browser, 'filter[entity]=contact&filter[type]=custom_field_value_changed', 5)
    expect(fields.events).toEqual(events.slice(0, 2))
  })
})
