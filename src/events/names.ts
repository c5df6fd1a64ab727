import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { type EntityNames, listOf, NO_NAMES, type Rendering } from './event-text.ts'
import type { ShownEvent } from './list-queries.ts'
import type { Subjects } from './subjects.ts'

/** The values of `with`, and the kind of each: the prefix of an entity type in the log, or lists. */
const kinds = {
  contact_name: 'contact',
  lead_name: 'lead',
  company_name: 'company',
  customer_name: 'customer',
  catalog_element_name: 'catalog_',
  catalog_name: 'catalogs',
} as const

type NameKind = keyof typeof kinds
export const nameKinds = Object.keys(kinds) as NameKind[]

/** All values of `with` in a list of events. */
export const eventParts = [...nameKinds, 'field_name', 'integration'] as const
export type EventPart = (typeof eventParts)[number]

/** The data that a page of events shows besides its rows, with one query per kind. */
export async function partsFor(
  ctx: Context,
  account_id: number,
  subjects: Subjects,
  events: readonly ShownEvent[],
  requested: ReadonlySet<EventPart>,
): Promise<Pick<Rendering, 'names' | 'withFieldNames' | 'integrations'>> {
  const numbers = events.map(({ created_by_integration }) => created_by_integration)
  const [names, integrations] = await Promise.all([
    namesFor(ctx.db, account_id, subjects, events, requested),
    requested.has('integration') ? ctx.actingIntegrations.find(ctx, account_id, numbers) : null,
  ])
  return { names, withFieldNames: requested.has('field_name'), integrations }
}

async function namesFor(
  db: Db,
  account_id: number,
  subjects: Subjects,
  events: readonly ShownEvent[],
  requested: ReadonlySet<EventPart>,
): Promise<EntityNames> {
  if (requested.size === 0) return NO_NAMES
  const asked = new Map<string, Set<number>>()
  const ask = (kind: string, id: number) => asked.set(kind, (asked.get(kind) ?? new Set()).add(id))
  for (const { entity_type, entity_id } of events) {
    const list = listOf(entity_type)
    if (requested.has('catalog_name') && list > 0) ask(kinds.catalog_name, list)
    const isElement = requested.has('catalog_element_name') && list > 0
    if (isElement || isNamed(entity_type, requested)) ask(entity_type, entity_id)
  }
  const found = [...asked].map(
    async ([kind, ids]) => [kind, await subjects.names(db, account_id, kind, [...ids])] as const,
  )
  return new Map(await Promise.all(found))
}

const isNamed = (entity_type: string, requested: ReadonlySet<EventPart>): boolean =>
  requested.has(`${entity_type}_name` as NameKind)
