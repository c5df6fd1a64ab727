import { type Compilable, CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../../test/client.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import { add } from '../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../test/world.ts'
import { type Actor, findActor } from '../accounts/accounts.ts'
import { completeRights } from '../accounts/members/rights.ts'
import { noteParents } from '../entities/entities.ts'
import { readFilters, readOrder } from './filters.ts'
import { pageQuery } from './list.ts'

const NOTES = 'http://demo.localhost:8080/web/v4/leads/notes'
const textsOf = ({ body }: Answer): string[] =>
  body._embedded.notes.map(({ params }: { params: { text: string } }) => params.text)

async function list(caller: Client, path: string): Promise<string[]> {
  const answer = await caller.get(`/web/v4/${path}`)
  if (answer.status !== 200) throw new Error(answer.text)
  return textsOf(answer)
}

async function walk(caller: Client, path: string): Promise<string[]> {
  let url: string | undefined = `/web/v4/${path}`
  const seen: string[] = []
  while (url) {
    const answer = await caller.get(url)
    seen.push(...textsOf(answer))
    url = answer.body._links.next?.href
  }
  return seen
}

/** Notes on two leads. The first note is on the first lead, the second on the second. */
async function notesOfTwoLeads() {
  const all = await world()
  const { admin, clock } = all
  const { browser } = admin
  const [roof, wall] = [
    await add(browser, 'leads', { name: 'Roof' }),
    await add(browser, 'leads', { name: 'Wall' }),
  ]
  const contact = await add(browser, 'contacts', { name: 'Ann' })
  const tell = async (lead: number, text: string, note_type = 'common') => {
    clock.advance(10)
    const params = { text, ...(note_type === 'sms_in' && { phone: '1' }) }
    return add(browser, `leads/${lead}/notes`, { note_type, params })
  }
  const one = await tell(roof, 'One')
  const two = await tell(wall, 'Two', 'sms_in')
  await tell(roof, 'Three')
  const four = await tell(wall, 'Four')
  await tell(roof, 'Five', 'sms_in')
  clock.advance(10)
  await browser.patch(`/web/v4/leads/notes/${two}`, { params: { text: 'Two!' } })
  return { ...all, browser, roof, wall, contact, one, two, four }
}
const all = ['Roof', 'Wall', 'One', 'Two!', 'Three', 'Four', 'Five']

describe('A list of notes', () => {
  test('is empty without notes', async () => {
    const { admin } = await world()
    expect((await admin.browser.get('/web/v4/leads/notes')).body).toEqual({
      _page: 1,
      _links: { self: { href: `${NOTES}?page=1&limit=50` } },
      _embedded: { notes: [] },
    })
  })

  test('is in the order of ids, with links to the previous and next page', async () => {
    const { browser } = await notesOfTwoLeads()
    const at = (query: string) => ({ href: `${NOTES}?${query}` })
    const first = await browser.get('/web/v4/leads/notes?limit=3')
    const ids = first.body._embedded.notes.map(({ id }: { id: number }) => id)
    expect([textsOf(first), first.body._page, first.body._links]).toEqual([
      ['Roof', 'Wall', 'One'],
      1,
      { self: at('limit=3&page=1'), next: at(`limit=3&page=2&position=2.${ids[2]}.${ids[2]}`) },
    ])
    const second = await browser.get(first.body._links.next.href)
    const third = await browser.get(second.body._links.next.href)
    expect([textsOf(second), textsOf(third)]).toEqual([['Two!', 'Three', 'Four'], ['Five']])
    expect(third.body._links).toEqual({
      self: at('limit=3&page=3'),
      first: at('limit=3&page=1'),
      prev: at('limit=3&page=2'),
    })
    expect(await list(browser, 'leads/notes?limit=3&page=3')).toEqual(['Five'])
  })

  test('can be filtered by pinned notes', async () => {
    const { browser, roof, one, two } = await notesOfTwoLeads()
    for (const id of [one, two]) await browser.post(`/web/v4/leads/notes/${id}/pin`)
    const lists = ['leads/notes?filter[is_pinned]=1', `leads/${roof}/notes?filter[is_pinned]=1`]
    expect(await Promise.all(lists.map((path) => list(browser, path)))).toEqual([['One', 'Two!'], ['One']])
    expect(await list(browser, `leads/${roof}/notes?filter[is_pinned]=0`)).toEqual(['Roof', 'Three', 'Five'])
    await browser.post(`/web/v4/leads/notes/${one}/unpin`)
    expect(await list(browser, `leads/${roof}/notes?filter[is_pinned]=1`)).toEqual([])
  })

  test('of one record has only its notes, in the form of single notes', async () => {
    const { browser, roof, contact, one } = await notesOfTwoLeads()
    expect(await list(browser, `leads/${roof}/notes`)).toEqual(['Roof', 'One', 'Three', 'Five'])
    expect(await list(browser, `contacts/${contact}/notes`)).toEqual(['Ann'])
    const [, listed] = (await browser.get(`/web/v4/leads/${roof}/notes`)).body._embedded.notes
    expect(listed).toEqual((await browser.get(`/web/v4/leads/${roof}/notes/${one}`)).body)
    for (const path of [`contacts/${roof}/notes`, 'leads/999999/notes', `leads/${contact}/notes/${one}`])
      expect([path, (await browser.get(`/web/v4/${path}`)).status]).toEqual([path, 404])
  })

  test.each<[string, string[]]>([
    ['order[id]=asc', all],
    ['order[id]=desc', all.toReversed()],
    ['order[updated_at]=asc', ['Roof', 'Wall', 'One', 'Three', 'Four', 'Five', 'Two!']],
    ['order[updated_at]=desc', ['Two!', 'Five', 'Four', 'Three', 'One', 'Wall', 'Roof']],
    ['order[none]=up', all],
    ['position[a]=1&order[]=id', all],
    ['filter[note_type]=common,sms_in', ['One', 'Two!', 'Three', 'Four', 'Five']],
    ['filter[note_type]=common,sms_in&order[id]=desc', ['Five', 'Four', 'Three', 'Two!', 'One']],
    [
      'filter[note_type]=sms_in,common,site_visit&order[updated_at]=desc',
      ['Two!', 'Five', 'Four', 'Three', 'One'],
    ],
    ['filter[note_type]=common&order[updated_at]=desc', ['Four', 'Three', 'One']],
  ])('%s has each note on exactly one page', async (query, texts) => {
    const { browser } = await notesOfTwoLeads()
    expect(await walk(browser, `leads/notes?limit=2&${query}`)).toEqual(texts)
    const counted = [1, 2, 3, 4].map((page) => list(browser, `leads/notes?limit=2&${query}&page=${page}`))
    expect((await Promise.all(counted)).flat()).toEqual(texts)
  })

  type Notes = Awaited<ReturnType<typeof notesOfTwoLeads>>
  test.each<[string, (of: Notes) => string, string[]]>([
    ['an id', ({ one }) => `filter[id]=${one}`, ['One']],
    ['ids', ({ one, four }) => `filter[id][]=${four}&filter[id][]=${one}`, ['One', 'Four']],
    ['ids with commas', ({ one, four }) => `filter[id]=${one},${four},999`, ['One', 'Four']],
    ['a type', () => 'filter[note_type]=sms_in', ['Two!', 'Five']],
    [
      'types',
      () => 'filter[note_type][0]=sms_in&filter[note_type][1]=lead_created',
      ['Roof', 'Wall', 'Two!', 'Five'],
    ],
    [
      'types and a record',
      ({ roof }) => `filter[note_type]=sms_in,common&filter[entity_id]=${roof}`,
      ['One', 'Three', 'Five'],
    ],
    ['a type without notes', () => 'filter[note_type]=transaction', []],
    ['a type that only the live service has', () => 'filter[note_type]=amomail_message', []],
    [
      'such a type beside another',
      () => 'filter[note_type][]=amomail_message&filter[note_type][]=sms_in',
      ['Two!', 'Five'],
    ],
    ['a record', ({ wall }) => `filter[entity_id]=${wall}`, ['Wall', 'Two!', 'Four']],
    ['records', ({ wall, roof }) => `filter[entity_id][]=${wall}&filter[entity_id][]=${roof}`, all],
    ['a record of another kind', ({ contact }) => `filter[entity_id]=${contact}`, []],
    ['changes after a moment', () => `filter[updated_at]=${BEGINNING + 40}`, ['Five', 'Two!']],
    [
      'changes after a moment in milliseconds',
      () => `filter[updated_at]=${BEGINNING + 40}000`,
      ['Five', 'Two!'],
    ],
    [
      'changes from a moment on',
      () => `filter[updated_at][from]=${BEGINNING + 40}`,
      ['Four', 'Five', 'Two!'],
    ],
    ['changes until a moment', () => `filter[updated_at][to]=${BEGINNING + 10}`, ['Roof', 'Wall', 'One']],
    [
      'changes between two moments',
      () => `filter[updated_at]=${BEGINNING + 30},${BEGINNING + 40}`,
      ['Three', 'Four'],
    ],
    [
      'changes, in the order of ids',
      () => `filter[updated_at]=${BEGINNING + 40}&order[id]=asc`,
      ['Two!', 'Five'],
    ],
    [
      'what changed, by type',
      () => `filter[updated_at]=${BEGINNING + 20}&filter[note_type]=common,sms_in`,
      ['Three', 'Four', 'Five', 'Two!'],
    ],
    ['unknown keys', () => 'filter[none]=1&filter[created_at]=1', all],
    ['nothing', () => 'filter=', all],
  ])('can be filtered by %s', async (_what, query, texts) => {
    const notes = await notesOfTwoLeads()
    expect(await list(notes.browser, `leads/notes?${query(notes)}`)).toEqual(texts)
    const of = (lead: number) => list(notes.browser, `leads/${lead}/notes?${query(notes)}`)
    const both = [...(await of(notes.roof)), ...(await of(notes.wall))]
    expect(both.sort()).toEqual([...texts].sort())
  })

  onEmbedded.each([
    ['filter[id]=x', 'InvalidType filter.id'],
    ['filter[entity_id]=1e400', 'InvalidType filter.entity_id'],
    ['filter[note_type]=letter', 'NotSupportedChoice filter.note_type'],
    ['filter[note_type]=common,constructor', 'NotSupportedChoice filter.note_type'],
    ['filter[is_pinned]=yes', 'NotSupportedChoice filter.is_pinned'],
    ['filter[updated_at]=now', 'InvalidType filter.updated_at'],
    ['filter[updated_at][from]=1.5.2', 'InvalidType filter.updated_at.from'],
    ['filter[updated_at][to]=99999999999999999', 'InvalidType filter.updated_at.to'],
    [`filter[id]=${Array(251).fill(1).join(',')}`, 'TooMany filter.id'],
    ['order[id]=up', 'NotSupportedChoice order.id'],
    ['order[updated_at][a]=asc', 'NotSupportedChoice order.updated_at'],
    ['limit=251', 'OutOfRange limit'],
    ['page=1e400', 'OutOfRange page'],
  ])('refuses %s with its path', async (query, fault) => {
    const { admin } = await world()
    const lead = await add(admin.browser, 'leads')
    for (const path of ['leads/notes', `leads/${lead}/notes`])
      expect(faultsOf(await admin.browser.get(`/web/v4/${path}?${query}`))).toEqual([400, `0 ${fault}`])
  })

  test.each([
    'order[id]=asc',
    'order[id]=desc',
    'order[updated_at]=asc',
    'filter[note_type]=common,sms_in&order[id]=desc',
  ])('contains every note exactly once while notes are added: %s', async (query) => {
    const { admin } = await world()
    const { browser } = admin
    const lead = await add(browser, 'leads')
    const old = Array.from({ length: 9 }, (_, i) => ({ note_type: 'common', params: { text: `old ${i}` } }))
    await browser.post(`/web/v4/leads/${lead}/notes`, old)
    const seen: string[] = []
    let url: string | undefined = `/web/v4/leads/${lead}/notes?limit=2&${query}`
    // In an ascending order, new notes are added behind the scan.
    for (let added = 0; url; added++) {
      const answer: Answer = await browser.get(url)
      seen.push(...textsOf(answer))
      const more = { note_type: 'sms_in', params: { text: 'new', phone: '1' } }
      if (added < 5) await add(browser, `leads/${lead}/notes`, more)
      url = answer.body._links.next?.href
    }
    const texts = old.map(({ params }) => params.text)
    expect(seen.filter((text) => text.startsWith('old')).sort()).toEqual(texts)
    if (query.endsWith('asc')) expect(seen.filter((text) => text === 'new').length).toBe(5)
  })
})

/** SQLite plans without statistics here, so the plans are the same for ten rows and for a million. */
describe.runIf(process.env.TEST_DATABASE === 'sqlite')('A page of notes uses an index', () => {
  const own = completeRights({
    leads: { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' },
  })
  type Asked = { filter?: object; order?: object; position?: boolean; of?: number }

  test.each<[string, Asked, string]>([
    ['in the order of ids', {}, 'PRIMARY KEY'],
    ['at a position', { position: true }, 'PRIMARY KEY'],
    ['by their ids', { filter: { id: '1,2' } }, 'PRIMARY KEY'],
    ['by time of change', { order: { updated_at: 'desc' } }, 'notes_by_update'],
    ['by time of change, at a position', { order: { updated_at: 'asc' }, position: true }, 'notes_by_update'],
    ['recent changes', { filter: { updated_at: '5' } }, 'notes_by_update'],
    [
      'changes in a range, newest first',
      { filter: { updated_at: '5,6' }, order: { updated_at: 'desc' } },
      'notes_by_update',
    ],
    ['of one type', { filter: { note_type: 'sms_in' } }, 'notes_by_type'],
    ['of one type, at a position', { filter: { note_type: 'sms_in' }, position: true }, 'notes_by_type'],
    [
      'of one type, recent changes',
      { filter: { note_type: 'sms_in', updated_at: '5' } },
      'notes_by_type_update',
    ],
    ['of one record', { of: 1 }, 'notes_by_entity'],
    ['of one record, at a position', { of: 1, position: true }, 'notes_by_entity'],
    ['of one record, of one type', { of: 1, filter: { note_type: 'sms_in' } }, 'notes_by_entity'],
    ['of one record, pinned', { of: 1, filter: { is_pinned: '1' }, order: { id: 'desc' } }, 'notes_pinned'],
    ['of one record in a filter', { filter: { entity_id: '1' } }, 'notes_by_entity'],
  ])('%s', async (_what, asked, index) => {
    const plans = await plansOf(asked)
    for (const plan of plans) {
      expect(plan.filter((step) => /^SCAN (?!json_each)|TEMP B-TREE/.test(step))).toEqual([])
      expect(plan[0]).toMatch(new RegExp(`^SEARCH notes USING (INDEX )?${index}( |$)`))
    }
  })

  test.each<[string, Asked]>([
    ['by time of change', { of: 1, order: { updated_at: 'desc' } }],
    ['recent changes', { of: 1, filter: { updated_at: '5' } }],
  ])('of one record, %s, which are few and can be sorted', async (_what, asked) => {
    for (const plan of await plansOf(asked)) {
      expect(plan.filter((step) => /^SCAN (?!json_each)/.test(step))).toEqual([])
      expect(plan[0]).toMatch(/^SEARCH notes USING INDEX notes_by_entity /)
    }
  })

  test('for a person with few records, by their records', async () => {
    for (const column of ['id', 'updated_at'] as const)
      for (const plan of await plansOf({ order: { [column]: 'desc' } }, [1, 2, 3])) {
        expect(plan.filter((step) => /^SCAN (?!json_each)/.test(step))).toEqual([])
        expect(plan[0]).toMatch(/^SEARCH notes USING INDEX notes_by_entity/)
      }
  })

  test('of several types, one per type', async () => {
    for (const order of [{ id: 'asc' }, { updated_at: 'desc' }]) {
      const index = 'id' in order ? 'notes_by_type' : 'notes_by_type_update'
      for (const plan of await plansOf({ filter: { note_type: 'sms_in,common,call_in' }, order })) {
        const steps = plan.filter((step) => /SEARCH notes/.test(step))
        expect(steps.length).toBe(3)
        for (const step of steps) expect(step).toMatch(new RegExp(`USING INDEX ${index} `))
        // Only a page of each type is merged and sorted.
        expect(
          plan.filter((step) => step.startsWith('SCAN') && !/^SCAN (notes|\(subquery)/.test(step)),
        ).toEqual([])
      }
    }
  })

  async function plansOf(
    { filter, order, position, of }: Asked,
    seen_ids: number[] | null = null,
  ): Promise<string[][]> {
    const { ctx, account, admin, addPerson } = await world()
    const planOf = async (query: Compilable): Promise<string[]> => {
      const { sql, parameters } = query.compile()
      const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
      return (await ctx.db.executeQuery<{ detail: string }>(explain)).rows.map(({ detail }) => detail)
    }
    const people = [admin, await addPerson({ rights: own })]
    return Promise.all(
      people.map(async ({ id }) => {
        const asking = { integration: null, request_id: 'r', address: 'a' }
        const actor = (await findActor(ctx, { account_id: account.id, user_id: id }, asking)) as Actor
        const { leads: visibility } = await noteParents.visibilities(ctx.db, actor)
        const filters = readFilters(filter as never)
        const range = { limit: 251, offset: position ? 0 : 250 }
        const after = position ? { value: 5, id: 5 } : null
        const asked = { filters, order: readOrder(order as never, filters), visibility, seen_ids }
        return planOf(pageQuery(ctx.db, actor, 'leads', asked, { ...range, after, entity_id: of }))
      }),
    )
  }
})
