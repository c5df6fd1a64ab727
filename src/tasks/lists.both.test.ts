import { type Compilable, CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../../test/client.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import { add, addAll } from '../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../test/world.ts'
import { type Actor, findActor } from '../accounts/accounts.ts'
import { completeRights } from '../accounts/members/rights.ts'
import { loadAccess } from '../entities/entities.ts'
import { readFilters, readOrder } from './filters.ts'
import { countTasks, pageQuery } from './list.ts'
import { chooseTasks } from './task-scan.ts'

const TASKS = 'http://demo.localhost:8080/web/v4/tasks'
const textsOf = ({ body }: Answer) => body._embedded.tasks.map(({ text }: { text: string }) => text)

async function list(caller: Client, query: string): Promise<string[]> {
  const answer = await caller.get(`/web/v4/tasks?${query}`)
  if (answer.status >= 300) throw new Error(answer.text)
  return textsOf(answer)
}

const totalOf = async (caller: Client, query: string) =>
  (await caller.get(`/web/v4/tasks/totals?${query}`)).body

/** Five tasks that differ in everything that can be filtered. */
async function agenda() {
  const all = await world()
  const { admin, addPerson, clock } = all
  const { browser } = admin
  const ann = (await addPerson()).id
  const lead = await add(browser, 'leads')
  const stage: number = (await browser.get(`/web/v4/leads/${lead}`)).body.status_id
  const contact = await add(browser, 'contacts')
  const drafts = [
    { text: 'One', complete_till: 500, entity_type: 'leads', entity_id: lead },
    { text: 'Two', complete_till: 400, responsible_user_id: ann, task_type_id: 2 },
    { text: 'Three', complete_till: 300, entity_type: 'contacts', entity_id: contact, is_completed: true },
    { text: 'Four', complete_till: 300, entity_type: 'leads', entity_id: lead, created_by: ann },
    { text: 'Five', complete_till: 100, task_type_id: 2, is_completed: true },
  ]
  for (const draft of drafts) {
    clock.advance(10)
    await add(browser, 'tasks', draft)
  }
  return { ...all, browser, ann, lead, stage, contact }
}

describe('GET /tasks', () => {
  test('finds nothing for a filter without values, and for a person of whom there is none', async () => {
    const { browser } = await agenda()
    for (const query of ['filter[responsible_user_id]=', 'filter[responsible_user_id]=999']) {
      expect(await list(browser, query)).toEqual([])
      expect(await totalOf(browser, query)).toEqual({ total: 0, is_complete: true })
    }
  })

  test('is counted to a limit, of which the visible ones are the total', async () => {
    const { ctx, account, admin, addPerson } = await agenda()
    const ann = await addPerson({ rights: completeRights({ tasks: { edit: 'M', delete: 'D' } }) })
    const count = async (id: number, most: number) => {
      const asking = { integration: null, request_id: 'r', address: 'a' }
      const actor = await findActor(ctx, { account_id: account.id, user_id: id }, asking)
      return countTasks(ctx.db, await loadAccess(ctx.db, actor as Actor), {}, most)
    }
    expect(await count(admin.id, 5)).toEqual({ total: 5, is_complete: true })
    expect(await count(admin.id, 4)).toEqual({ total: 4, is_complete: false })
    // They see all records here, and so the tasks of these.
    expect((await count(ann.id, 5)).is_complete).toBe(true)
    expect((await count(ann.id, 2)).total).toBeLessThanOrEqual(2)
  })

  test('is an empty list without tasks', async () => {
    const { admin } = await world()
    expect((await admin.browser.get('/web/v4/tasks')).status).toBe(204)
  })

  test('is in the order of ids, with links to the previous and next page', async () => {
    const { browser } = await agenda()
    const at = (query: string) => ({ href: `${TASKS}?${query}` })
    const first = await browser.get('/web/v4/tasks?limit=2')
    expect([textsOf(first), first.body._links]).toEqual([
      ['One', 'Two'],
      { self: at('limit=2&page=1'), next: at('limit=2&page=2&position=2.2.2') },
    ])
    const second = await browser.get(first.body._links.next.href)
    expect([textsOf(second), second.body._links]).toEqual([
      ['Three', 'Four'],
      {
        self: at('limit=2&page=2'),
        next: at('limit=2&page=3&position=3.4.4'),
        first: at('limit=2&page=1'),
        prev: at('limit=2&page=1'),
      },
    ])
    const third = await browser.get(second.body._links.next.href)
    expect([textsOf(third), third.body._links.next]).toEqual([['Five'], undefined])
    expect(await list(browser, 'limit=2&page=3')).toEqual(['Five'])
  })

  test.each([
    ['id', 'desc', ['Five', 'Four', 'Three', 'Two', 'One']],
    ['created_at', 'asc', ['One', 'Two', 'Three', 'Four', 'Five']],
    ['created_at', 'desc', ['Five', 'Four', 'Three', 'Two', 'One']],
    ['complete_till', 'asc', ['Five', 'Three', 'Four', 'Two', 'One']],
    ['complete_till', 'desc', ['One', 'Two', 'Four', 'Three', 'Five']],
  ])('in the order of %s, %s, has each task on exactly one page', async (column, direction, texts) => {
    const { browser } = await agenda()
    let url: string | undefined = `/web/v4/tasks?limit=2&order[${column}]=${direction}`
    const seen: string[] = []
    while (url) {
      const answer = await browser.get(url)
      seen.push(...textsOf(answer))
      url = answer.body._links.next?.href
    }
    expect(seen).toEqual(texts)
  })

  test.each<
    [string, (of: { ann: number; lead: number; stage: number; contact: number }) => string, string[]]
  >([
    ['ids', () => 'filter[id][]=2&filter[id][]=4', ['Two', 'Four']],
    ['ids with commas', () => 'filter[id]=5,1', ['One', 'Five']],
    ['a person', ({ ann }) => `filter[responsible_user_id]=${ann}`, ['Two']],
    ['an author', ({ ann }) => `filter[created_by][0]=${ann}`, ['Four']],
    ['open tasks', () => 'filter[is_completed]=0', ['One', 'Two', 'Four']],
    ['completed tasks', () => 'filter[is_completed][]=1', ['Three', 'Five']],
    ['both', () => 'filter[is_completed]=0,1', ['One', 'Two', 'Three', 'Four', 'Five']],
    ['a type', () => 'filter[task_type][]=2', ['Two', 'Five']],
    ['a type by its alternative name', () => 'filter[task_type_id]=1,7', ['One', 'Three', 'Four']],
    ['a kind of record', () => 'filter[entity_type]=leads', ['One', 'Four']],
    [
      'kinds of records',
      () => 'filter[entity_type][]=leads&filter[entity_type][]=contacts',
      ['One', 'Three', 'Four'],
    ],
    ['a record', ({ contact }) => `filter[entity_type]=contacts&filter[entity_id][]=${contact}`, ['Three']],
    ['a record by its id alone', ({ contact }) => `filter[entity_id][]=${contact}`, ['Three']],
    [
      'a record of another kind',
      ({ contact }) => `filter[entity_type]=leads&filter[entity_id]=${contact}`,
      [],
    ],
    [
      'the stage of their lead',
      ({ stage }) => `filter[lead_statuses][0][pipeline_id]=1&filter[lead_statuses][0][status_id]=${stage}`,
      ['One', 'Four'],
    ],
    ['another stage of their lead', () => 'filter[lead_statuses][0][status_id]=142', []],
    [
      'one of several stages and a person',
      ({ stage, ann }) =>
        `filter[lead_statuses][]=142&filter[lead_statuses][]=${stage}&filter[created_by]=${ann}`,
      ['Four'],
    ],
    [
      'a deadline',
      () => 'filter[complete_till][from]=300&filter[complete_till][to]=400',
      ['Two', 'Three', 'Four'],
    ],
    ['a time of creation', () => `filter[created_at][to]=${BEGINNING + 20}`, ['One', 'Two']],
    ['a time of change', () => `filter[updated_at]=${BEGINNING + 40}`, ['Four', 'Five']],
    ['a time of change in milliseconds', () => `filter[updated_at]=${BEGINNING + 40}000`, ['Four', 'Five']],
    ['a range of changes', () => `filter[updated_at]=${BEGINNING + 20},${BEGINNING + 30}`, ['Two', 'Three']],
    ['part of the text', () => 'filter[text]=WO', ['Two']],
    ['several words of the text', () => 'filter[text]=t%20hr', ['Three']],
    ['mixed upper and lower case', () => 'filter[text]=tHrEE', ['Three']],
    ['an unknown word', () => 'filter[text]=%25', []],
    ['several at once', ({ ann }) => `filter[is_completed]=0&filter[created_by]=${ann}`, ['Four']],
    ['unknown keys', () => 'filter[none]=1&filter=', ['One', 'Two', 'Three', 'Four', 'Five']],
    ['nobody', () => 'filter[responsible_user_id]=999', []],
  ])('can be filtered by %s', async (_what, query, texts) => {
    const all = await agenda()
    expect(await list(all.browser, query(all))).toEqual(texts)
  })

  onEmbedded.each([
    ['filter[id]=x', 'InvalidType filter.id'],
    ['filter[entity_type]=tasks', 'NotSupportedChoice filter.entity_type'],
    ['filter[is_completed]=2', 'NotSupportedChoice filter.is_completed'],
    ['filter[is_completed]=constructor', 'NotSupportedChoice filter.is_completed'],
    ['filter[lead_statuses][0][pipeline_id]=1', 'FieldMissing filter.lead_statuses.0.status_id'],
    ['filter[updated_at]=now', 'InvalidType filter.updated_at'],
    ['filter[created_at][from]=1e400', 'InvalidType filter.created_at.from'],
    ['filter[complete_till][to]=99999999999999999', 'InvalidType filter.complete_till.to'],
    [`filter[id]=${Array(251).fill(1).join(',')}`, 'TooMany filter.id'],
    ['order[id]=up', 'NotSupportedChoice order.id'],
    ['limit=251', 'OutOfRange limit'],
  ])('refuses %s with its path', async (query, fault) => {
    const { admin } = await world()
    expect(faultsOf(await admin.browser.get(`/web/v4/tasks?${query}`))).toEqual([400, `0 ${fault}`])
  })

  test('contains every task exactly once while tasks are added', async () => {
    const { admin } = await world()
    const old = Array.from({ length: 9 }, (_, i) => ({ text: `old ${i}`, complete_till: 5 }))
    await addAll(admin.browser, 'tasks', old)
    const seen: string[] = []
    let url: string | undefined = '/web/v4/tasks?limit=2&order[complete_till]=desc'
    while (url) {
      const answer = await admin.browser.get(url)
      seen.push(...textsOf(answer))
      await add(admin.browser, 'tasks', { text: 'new', complete_till: 6 })
      url = answer.body._links.next?.href
    }
    expect(seen).toEqual(old.map(({ text }) => text).toReversed())
  })
})

/** SQLite plans without statistics here, so the plans are the same for ten rows and for a million. */
describe.runIf(process.env.TEST_DATABASE === 'sqlite')('A page of tasks uses an index', () => {
  const narrow = completeRights({ tasks: { edit: 'M', delete: 'D' } })

  test.each<[string, { filter?: object; order?: object; position?: boolean }, string]>([
    ['in the order of ids', {}, 'PRIMARY KEY'],
    ['at a position', { position: true }, 'PRIMARY KEY'],
    ['by their deadlines', { order: { complete_till: 'asc' } }, 'tasks_by_deadline'],
    [
      'by their deadlines, at a position',
      { order: { complete_till: 'asc' }, position: true },
      'tasks_by_deadline',
    ],
    ['by time of creation', { order: { created_at: 'desc' } }, 'tasks_by_creation'],
    [
      'of a person by deadline',
      { filter: { responsible_user_id: '1', is_completed: '0' }, order: { complete_till: 'asc' } },
      'tasks_by_responsible',
    ],
    ['that are open, in the order of ids', { filter: { is_completed: '0' } }, 'PRIMARY KEY'],
    ['that are open', { filter: { is_completed: '0' }, order: { complete_till: 'asc' } }, 'tasks_open'],
    [
      'of leads in a stage, in the order of ids',
      { filter: { lead_statuses: [{ status_id: '142' }], is_completed: '0' } },
      'PRIMARY KEY',
    ],
    [
      'of a record',
      {
        filter: { entity_type: 'leads', entity_id: '1', is_completed: '0' },
        order: { complete_till: 'asc' },
      },
      'tasks_by_entity',
    ],
  ])('%s', async (_what, { filter, order, position }, index) => {
    const { ctx, account, admin, addPerson } = await world()
    const planOf = async (query: Compilable): Promise<string[]> => {
      const { sql, parameters } = query.compile()
      const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
      return (await ctx.db.executeQuery<{ detail: string }>(explain)).rows.map(({ detail }) => detail)
    }
    for (const { id } of [admin, await addPerson({ rights: narrow })]) {
      const asking = { integration: null, request_id: 'r', address: 'a' }
      const actor = await findActor(ctx, { account_id: account.id, user_id: id }, asking)
      const access = await loadAccess(ctx.db, actor as Actor)
      const asked = readFilters(ctx.db, access, filter as never)
      const by = readOrder(order as never)
      const { conditions } = await chooseTasks(ctx.db, access, asked, null, by)
      const range = { limit: 251, offset: position ? 0 : 250 }
      const after = position ? { value: 5, id: 5 } : null
      const plan = await planOf(pageQuery(ctx.db, access, conditions, by, { ...range, after }))
      expect(plan.filter((step) => /^SCAN (?!json_each)|TEMP B-TREE FOR ORDER/.test(step))).toEqual([])
      expect(plan[0]).toContain(index)
    }
  })
})
