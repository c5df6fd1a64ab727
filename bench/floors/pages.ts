import type { FastifyInstance, preHandlerAsyncHookHandler } from 'fastify'
import type { TaskRow } from '../../src/db/tables.ts'
import type { EntityType } from '../../src/entities/records/entity-types.ts'
import { type ListedEntity, listedColumns } from '../../src/entities/records/listed-columns.ts'
import type { eventStatements } from './event-pages.ts'
import { cards, describing, element, task } from './page-views.ts'
import type { Constants } from './rows.ts'

/**
 * The pages of the floor of `rows.ts`: the same members as those of the real program, read from the same tables.
 * `test/databases/floor-pages.both.test.ts` compares the answers.
 */

export const PAGE = 250
/** The next row tells whether there is another page. */
export const LIMIT = PAGE + 1

type Kind = Exclude<EntityType, 'customers'>

/** Conditions of a database: a column is the nth parameter, or in it. */
export interface Dialect {
  is(column: string, n: number): string
  isIn(column: string, n: number): string
}

/** The statements, with the constants as literals. */
export function pageStatements({ account_id }: Pick<Constants, 'account_id'>, { is, isIn }: Dialect) {
  const columns = (kind: Kind) => `${listedColumns[kind].map((name) => `e.${name}`)}, v.field_values`
  const values = `left join field_values v on v.account_id = ${account_id} and v.entity_id = e.id`
  const records = (kind: Kind, condition = '') =>
    `select ${columns(kind)} from entities e ${values}
      where e.account_id = ${account_id} and e.entity_type = '${kind}' and e.is_deleted = 0 ${condition}
      order by e.id limit ${LIMIT}`
  const tags = (kind: Kind) =>
    `select r.entity_id, t.id, t.name, t.color from entity_tags r
      join tags t on t.account_id = ${account_id} and t.id = r.tag_id
      where r.account_id = ${account_id} and ${isIn('r.entity_id', 1)} and t.entity_type = '${kind}'
      order by r.entity_id, t.id`
  return {
    leads: records('leads'),
    lead: `select ${columns('leads')} from entities e ${values}
      where e.account_id = ${account_id} and e.entity_type = 'leads' and ${is('e.id', 1)} and e.is_deleted = 0`,
    contacts: records('contacts', 'and e.is_unsorted = 0'),
    companies: records('companies', 'and e.is_unsorted = 0'),
    elements: records('catalog_elements', `and ${is('e.catalog_id', 1)}`),
    leads_with_value: `select ${columns('leads')} from field_keys k
      join entities e on e.account_id = ${account_id} and e.entity_type = 'leads' and e.id = k.entity_id ${values}
      where k.account_id = ${account_id} and ${is('k.field_id', 1)} and ${is('k.key', 2)} and e.is_deleted = 0
      order by k.entity_id limit ${LIMIT}`,
    tasks: `select * from tasks where account_id = ${account_id} and is_deleted = 0 order by id limit ${LIMIT}`,
    people: `select user_id, group_id from members where account_id = ${account_id}`,
    tags_of_leads: tags('leads'),
    tags_of_contacts: tags('contacts'),
    tags_of_companies: tags('companies'),
    companies_of: `select l.entity_id, l.to_entity_id as id from links l
      join entities e on e.account_id = ${account_id} and e.entity_type = 'companies' and e.id = l.to_entity_id
      where l.account_id = ${account_id} and ${isIn('l.entity_id', 1)} and l.to_entity_type = 'companies'
        and e.is_deleted = 0
      order by l.entity_id, l.to_entity_id`,
  }
}

export type Statement = keyof ReturnType<typeof pageStatements> | keyof ReturnType<typeof eventStatements>
export type Value = number | string | readonly number[]

/** Runs a statement. */
export type Read = <Row>(name: Statement, ...values: Value[]) => Promise<Row[]> | Row[]

/** The pages of an account. */
export function pagesOf(read: Read, { account_id, base, fields }: Constants) {
  const at = { account_id, base, valuesOf: describing(fields) }

  async function groups() {
    const people = await read<{ user_id: number; group_id: number }>('people')
    return new Map(people.map(({ user_id, group_id }) => [user_id, group_id]))
  }

  async function listed(kind: keyof typeof cards, statement: Statement, ...values: Value[]) {
    const found = await read<ListedEntity>(statement, ...values)
    return pageOf(kind, found, await shownOf(kind, found.slice(0, PAGE)))
  }

  async function shownOf(kind: keyof typeof cards, rows: ListedEntity[]): Promise<object[]> {
    const ids = rows.map(({ id }) => id)
    const [people, tags, companies] = await Promise.all([
      groups(),
      read<Tag>(`tags_of_${kind}`, ids),
      kind === 'companies' ? [] : read<{ entity_id: number; id: number }>('companies_of', ids),
    ])
    const tagsById = Map.groupBy(tags, ({ entity_id }) => entity_id)
    const companiesById = Map.groupBy(companies, ({ entity_id }) => entity_id)
    return rows.map((row) => {
      const group_id = people.get(row.responsible_user_id) ?? 0
      const own = { tags: tagsById.get(row.id) ?? [], companies: companiesById.get(row.id) ?? [] }
      return cards[kind]({ row, group_id, ...own }, at)
    })
  }

  function pageOf(name: string, found: { id: number }[], shown: object[]): object {
    const href = `${base}/${name}?limit=${PAGE}`
    const next = found.length > PAGE ? { next: { href: `${href}&after=${found[PAGE - 1]?.id}` } } : {}
    return { _page: 1, _links: { self: { href }, ...next }, _embedded: { [name]: shown } }
  }

  return {
    leads: () => listed('leads', 'leads'),
    lead: async (id: number) => (await shownOf('leads', await read('lead', id)))[0] as object,
    leadsWith: (field_id: number, key: string) => listed('leads', 'leads_with_value', field_id, key),
    contacts: () => listed('contacts', 'contacts'),
    companies: () => listed('companies', 'companies'),
    elements: async (catalog_id: number) => {
      const found = await read<ListedEntity>('elements', catalog_id)
      const shown = found.slice(0, PAGE).map((row) => element(row, at))
      return pageOf('elements', found, shown)
    },
    tasks: async () => {
      const [found, people] = await Promise.all([read<TaskRow>('tasks'), groups()])
      const shown = found.slice(0, PAGE).map((row) => task(row, people.get(row.responsible_user_id) ?? 0, at))
      return pageOf('tasks', found, shown)
    },
  }
}

interface Tag {
  entity_id: number
  id: number
  name: string
  color: string | null
}

export type Pages = ReturnType<typeof pagesOf>

/** Adds the routes of the pages. */
export function addPages(app: FastifyInstance, pages: Pages, preHandler: preHandlerAsyncHookHandler): void {
  const add = (path: string, page: (asked: Record<string, string>) => Promise<object>) =>
    app.get(path, { preHandler }, async ({ query, params }, reply) => {
      reply.type('application/hal+json')
      return JSON.stringify(await page({ ...(query as object), ...(params as object) }))
    })
  add('/leads', pages.leads)
  add('/leads/:id', ({ id }) => pages.lead(Number(id)))
  add('/leads/filtered', ({ field_id, key }) => pages.leadsWith(Number(field_id), key as string))
  add('/contacts', pages.contacts)
  add('/companies', pages.companies)
  add('/elements', ({ catalog_id }) => pages.elements(Number(catalog_id)))
  add('/tasks', pages.tasks)
}
