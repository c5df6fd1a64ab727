import { type Expression, type SqlBool, sql } from 'kysely'
import { type Actor, findMembers } from '../../accounts/accounts.ts'
import type { Width } from '../../accounts/members/rights.ts'
import type { Db } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { cardTypes, type EntityType, entityTypes } from './entity-types.ts'
import { findLinkedElements, type HolderConditions, hasHolder } from './holder-queries.ts'

export type RecordRight = 'view' | 'edit' | 'delete' | 'export'

/**
 * An actor's rights on records, with the data that they need from the database: the members of the actor's group,
 * and those of the elements passed to loadLinkedElements that are linked to a visible card.
 */
export interface Access {
  actor: Actor
  peers: ReadonlySet<number>
  held: Set<number>
}

/** The columns of a record on which rights depend. */
export type AccessColumns = Pick<
  EntityRow,
  'id' | 'entity_type' | 'responsible_user_id' | 'pipeline_id' | 'status_id' | 'catalog_id'
>

/** Loads the rights once per request. Queries the database only for a person with a right of group width. */
export async function loadAccess(db: Db, actor: Actor): Promise<Access> {
  const needsPeers = !actor.is_admin && JSON.stringify(actor.rights).includes('"G"')
  if (!needsPeers) return { actor, peers: new Set(), held: new Set() }
  const members = await findMembers(db, actor.account_id)
  const peers = [...members.values()].filter(({ group_id }) => group_id === actor.group_id)
  return { actor, peers: new Set(peers.map(({ user_id }) => user_id)), held: new Set() }
}

/** 'L': only elements of the list that are linked to a visible lead, contact, company or customer. */
type ListWidth = Width | 'L'

/** The general width of a right. Lists can have their own; `catalog_access` applies to the others. */
function widthOf(
  { actor }: Access,
  right: RecordRight,
  type: EntityType,
  catalog_id?: number | null,
): ListWidth {
  if (actor.is_admin) return 'A'
  const group = entityTypes[type].rights
  if (group !== 'catalogs') return actor.rights[group][right]
  const own = actor.rights.catalog_rights?.find((one) => one.catalog_id === catalog_id)
  if (own) return own.rights[right]
  return actor.rights.catalog_access ? 'A' : 'D'
}

/** If a stage or list occurs twice, the first entry counts. */
const firstOfEach = <T>(rights: T[] | null, key: (one: T) => unknown): T[] => [
  ...new Map((rights ?? []).toReversed().map((one) => [key(one), one])).values(),
]

const stageRights = ({ actor }: Access, type: EntityType) =>
  actor.is_admin || type !== 'leads'
    ? []
    : firstOfEach(actor.rights.status_rights, ({ pipeline_id, status_id }) => `${pipeline_id} ${status_id}`)

/** Rights of individual lists. */
const listRights = ({ actor }: Access) =>
  actor.is_admin ? [] : firstOfEach(actor.rights.catalog_rights, ({ catalog_id }) => catalog_id)

/**
 * Whether the actor has the right on the record: the general right, or that of the record's stage if the stage has
 * its own (A10).
 */
export function can(access: Access, right: RecordRight, row: AccessColumns): boolean {
  const type = row.entity_type as EntityType
  const stage = stageRights(access, type).find(
    ({ pipeline_id, status_id }) => pipeline_id === row.pipeline_id && status_id === row.status_id,
  )
  const width = stage?.rights[right] ?? widthOf(access, right, type, row.catalog_id)
  if (width === 'G') return access.peers.has(row.responsible_user_id)
  if (width === 'M') return row.responsible_user_id === access.actor.user_id
  if (width === 'L') return access.held.has(row.id)
  return width === 'A'
}

/**
 * Whether all records of the kind are visible to the actor, so that the absence of one is no secret. For elements:
 * of one list, or of all.
 */
export function seesAll(access: Access, type: EntityType, catalog_id: number | null = null): boolean {
  const parts = [
    ...stageRights(access, type),
    ...(entityTypes[type].rights === 'catalogs' && catalog_id === null ? listRights(access) : []),
  ]
  return widthOf(access, 'view', type, catalog_id) === 'A' && parts.every(({ rights }) => rights.view === 'A')
}

/** Whether all records of the kind are hidden from the actor. */
export const seesNothing = (access: Access, type: EntityType): boolean => coversNothing(access, 'view', type)

/** Whether the right covers no record of the kind, or no element of the list if one is given. */
export const coversNothing = (
  access: Access,
  right: RecordRight,
  type: EntityType,
  catalog_id: number | null = null,
): boolean =>
  widthOf(access, right, type, catalog_id) === 'D' &&
  stageRights(access, type).every(({ rights }) => (rights[right] ?? 'D') === 'D')

/** Whether a list is visible: the actor can see its elements, or at least linked ones. */
export const canSeeList = (access: Access, catalog_id: number): boolean =>
  widthOf(access, 'view', 'catalog_elements', catalog_id) !== 'D'

/**
 * Must be called before `can` if rows can be elements: an unknown element counts as not linked. One query for all
 * of them, and none if no list depends on links.
 */
export async function loadLinkedElements(
  db: Db,
  access: Access,
  rows: Iterable<Pick<AccessColumns, 'id' | 'entity_type' | 'catalog_id'>>,
): Promise<void> {
  const linked = listRights(access).filter(({ rights }) => Object.values(rights).includes('L'))
  if (linked.length === 0) return
  const lists = new Set(linked.map(({ catalog_id }) => catalog_id))
  const ids = [...rows].flatMap(({ id, entity_type, catalog_id }) =>
    entity_type === 'catalog_elements' && lists.has(catalog_id ?? 0) ? [id] : [],
  )
  if (ids.length === 0) return
  for (const id of await findLinkedElements(db, access.actor.account_id, ids, viewedHolders(access)))
    access.held.add(id)
}

const viewedHolders = (access: Access): HolderConditions =>
  cardTypes.map((type) => [type, accessCondition(access, 'view', type, 'holder')])

export function canAdd({ actor }: Access, type: EntityType, catalog_id?: number | null): boolean {
  if (actor.is_admin) return true
  const group = entityTypes[type].rights
  if (group !== 'catalogs') return actor.rights[group].add === 'A'
  const own = actor.rights.catalog_rights?.find((one) => one.catalog_id === catalog_id)
  return own ? own.rights.add === 'A' : actor.rights.catalog_access
}

/** Throws Refusal('forbidden') if the actor cannot add records of the kind. */
export function requireCanAdd(access: Access, type: EntityType, catalog_id?: number | null): void {
  if (!canAdd(access, type, catalog_id)) throw insufficientRights()
}

export const insufficientRights = () => new Refusal('forbidden', 'Insufficient rights to call this method')

/**
 * The condition on rows of `entities` (or an alias of it) of one kind for which the actor has the right; null if
 * for all. The same rule as `can`, in SQL.
 */
export function accessCondition(
  access: Access,
  right: RecordRight,
  type: EntityType,
  alias = 'entities',
): Expression<SqlBool> | null {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  if (entityTypes[type].rights === 'catalogs')
    return listAccessCondition(access, right, column('catalog_id'), column('id'))
  const general = generalCondition(access, widthOf(access, right, type), column)
  const stages = stageRights(access, type)
  if (stages.length === 0) return general
  const inStages = (width: 'A' | 'D') => {
    const pairs = stages
      .filter(({ rights }) => rights[right] === width)
      .map(
        ({ pipeline_id, status_id }) =>
          sql`(${column('pipeline_id')} = ${pipeline_id} and ${column('status_id')} = ${status_id})`,
      )
    return pairs.length > 0 ? sql<SqlBool>`(${sql.join(pairs, sql` or `)})` : null
  }
  const open = inStages('A')
  const closed = inStages('D')
  if (!open && !closed) return general
  const outside = closed
    ? sql<SqlBool>`${general ?? sql`true`} and not ${closed}`
    : (general ?? sql<SqlBool>`true`)
  return open ? sql<SqlBool>`(${outside} or ${open})` : sql<SqlBool>`(${outside})`
}

function generalCondition(
  { actor, peers }: Access,
  width: ListWidth,
  column: (name: string) => Expression<unknown>,
): Expression<SqlBool> | null {
  const responsible = column('responsible_user_id')
  if (width === 'M') return sql<SqlBool>`${responsible} = ${actor.user_id}`
  if (width === 'G' && peers.size > 0) return sql<SqlBool>`${responsible} in (${sql.join([...peers])})`
  return width === 'A' ? null : sql<SqlBool>`1 = 0`
}

/**
 * The responsible users whose records the right covers; null if it covers all or none, or depends on more than the responsible
 * user.
 */
export function coveredPeople(access: Access, right: RecordRight, type: EntityType): number[] | null {
  if (entityTypes[type].rights === 'catalogs') return null
  if (stageRights(access, type).some(({ rights }) => rights[right] === 'A' || rights[right] === 'D'))
    return null
  const width = widthOf(access, right, type)
  if (width === 'M') return [access.actor.user_id]
  return width === 'G' && access.peers.size > 0 ? [...access.peers] : null
}

/** The only person whose records of the kind the actor can see; null if they can see those of others, or none. */
export function onlyPerson(access: Access, type: EntityType): number | null {
  const people = coveredPeople(access, 'view', type)
  return people?.length === 1 ? (people[0] as number) : null
}

/** Elements: lists with their own rights, and the others by `catalog_access`. */
function listAccessCondition(
  access: Access,
  right: RecordRight,
  catalog: Expression<unknown>,
  id: Expression<unknown>,
): Expression<SqlBool> | null {
  const { actor } = access
  if (actor.is_admin) return null
  const own = listRights(access)
  const among = (...widths: ListWidth[]) => {
    const lists = own.filter(({ rights }) => widths.includes(rights[right]))
    const ids = lists.map(({ catalog_id }) => catalog_id)
    return ids.length > 0 ? sql<SqlBool>`${catalog} in (${sql.join(ids)})` : null
  }
  const narrow = among('L', 'D')
  if (actor.rights.catalog_access && !narrow) return null
  const whole = actor.rights.catalog_access ? sql<SqlBool>`not ${narrow}` : among('A')
  const linked = among('L')
  const parts = [
    ...(whole ? [whole] : []),
    ...(linked
      ? [sql<SqlBool>`${linked} and ${hasHolder(actor.account_id, id, viewedHolders(access))}`]
      : []),
  ]
  return parts.length > 0 ? sql<SqlBool>`(${sql.join(parts, sql` or `)})` : sql<SqlBool>`1 = 0`
}
