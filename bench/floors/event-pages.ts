import type { FastifyInstance, preHandlerAsyncHookHandler } from 'fastify'
import type { EventRow } from '../../src/db/tables.ts'
import { eventText } from './events.ts'
import { type Dialect, LIMIT, PAGE, type Read } from './pages.ts'
import type { Constants } from './rows.ts'

/**
 * The log of the floor of `rows.ts`: the same events as those of the real program, for a person who sees everything and
 * for two who see only their own records. `test/databases/floor-pages.both.test.ts` compares the answers.
 */

const kinds = { lead: 'leads', contact: 'contacts', company: 'companies', customer: 'customers' }

const NOBODY = { many: 0, few: 0 }

/** The statements, with the constants as literals. */
export function eventStatements({ account_id, owners = NOBODY }: Owned, { is }: Pick<Dialect, 'is'>) {
  const columns = `e.account_id, e.id, e.type, e.entity_type, e.entity_id, e.created_by, e.created_at, e.value_after, e.value_before,
      e.talk_contact_id`
  const newest = (condition: string) =>
    `select ${columns} from events e where e.account_id = ${account_id} ${condition} order by e.id desc limit ${LIMIT}`
  const own = (person: number, type: string, id: string) =>
    `exists (select 1 from entities r where r.account_id = ${account_id} and r.entity_type = ${type} and r.id = ${id}
      and r.responsible_user_id = ${person})`
  const isOwn = (person: number) =>
    Object.entries(kinds).map(
      ([kind, type]) => `(e.entity_type = '${kind}' and ${own(person, `'${type}'`, 'e.entity_id')})`,
    )
  const isOwnTask = (person: number) =>
    `(e.entity_type = 'task' and exists (select 1 from tasks t where t.account_id = ${account_id} and t.id = e.entity_id
      and (t.responsible_user_id = ${person} or (t.entity_id is null and t.created_by = ${person})
        or ${own(person, 't.entity_type', 't.entity_id')})))`
  const recordsOf = (person: number, kind: string, type: string) =>
    `select '${kind}' as kind, id from entities
      where account_id = ${account_id} and entity_type = '${type}' and responsible_user_id = ${person}`
  const tasksOf = (person: number, condition: string) =>
    `select 'task', t.id from tasks t where t.account_id = ${account_id} and ${condition.replaceAll('?', `${person}`)}`
  const tasksOfRecords = (person: number) =>
    `select 'task', t.id from entities r cross join tasks t
      where r.account_id = ${account_id} and r.entity_type in ('leads', 'contacts', 'companies', 'customers')
        and r.responsible_user_id = ${person}
        and t.account_id = ${account_id} and t.entity_type = r.entity_type and t.entity_id = r.id`
  const subjectsOf = (person: number) => [
    ...Object.entries(kinds).map(([kind, type]) => recordsOf(person, kind, type)),
    tasksOf(person, 't.responsible_user_id = ?'),
    tasksOf(person, 't.entity_id is null and t.created_by = ?'),
    tasksOfRecords(person),
  ]
  return {
    events: newest(''),
    // Of the newest events, those of the person's records.
    events_of_many: newest(`and (${[...isOwn(owners.many), isOwnTask(owners.many)].join(' or ')})`),
    // Of the person's records, the newest events.
    events_of_few: `select ${columns} from (${subjectsOf(owners.few).join(' union ')}) s cross join events e
      where e.account_id = ${account_id} and e.entity_type = s.kind and e.entity_id = s.id
      order by e.id desc limit ${LIMIT}`,
    event: `select ${columns} from events e where e.account_id = ${account_id} and ${is('e.id', 1)}`,
  }
}

/** The people who see only their own records: one has many, one has few. */
export type Owned = Pick<Constants, 'account_id' | 'owners'>

export type Log = ReturnType<typeof logOf>

/** The texts of the log. */
export function logOf(read: Read, { base }: Pick<Constants, 'base'>) {
  const shown = (row: EventRow) => eventText(row, base).text

  async function page(statement: 'events' | 'events_of_many' | 'events_of_few'): Promise<string> {
    const rows = await read<EventRow>(statement)
    const href = `${base}/events?limit=${PAGE}`
    const next = rows.length > PAGE ? `,"next":{"href":"${href}&after=${rows[PAGE - 1]?.id}"}` : ''
    const texts = rows.slice(0, PAGE).map(shown)
    return `{"_page":1,"_links":{"self":{"href":"${href}"}${next}},"_embedded":{"events":[${texts.join(',')}]}}`
  }

  return {
    events: () => page('events'),
    eventsOfMany: () => page('events_of_many'),
    eventsOfFew: () => page('events_of_few'),
    event: async (id: string): Promise<string> => shown((await read<EventRow>('event', id))[0] as EventRow),
  }
}

/** Adds the routes of the log. */
export function addLog(app: FastifyInstance, log: Log, preHandler: preHandlerAsyncHookHandler): void {
  const add = (path: string, text: (id: string) => Promise<string>) =>
    app.get(path, { preHandler }, async ({ params }, reply) =>
      reply.type('application/hal+json').send(await text((params as { id: string }).id)),
    )
  add('/events', log.events)
  add('/events/many', log.eventsOfMany)
  add('/events/few', log.eventsOfFew)
  add('/events/:id', log.event)
}
