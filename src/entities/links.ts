import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { EntityRow, LinkRow } from '../db/tables.ts'
import type { EventDraft } from '../events/event-types.ts'
import { recordEvents } from '../events/events.ts'
import { refuseShared } from './element-lists.ts'
import { type EntityType, entityTypes, eventEntityType } from './entity-types.ts'
import { deleteLinks, findChangingLinks, writeLinks } from './link-queries.ts'

export interface LinkWish {
  from: EntityRow
  to: EntityRow
  is_main?: boolean | undefined
  quantity?: number | undefined
  price_id?: number | null | undefined
  /** Where in the request it stands. */
  request_id?: string
  path?: string
}

export interface LinkChanges {
  add: LinkWish[]
  remove: { from: EntityRow; to: EntityRow }[]
}

/** Kinds that have one company at most: another takes the first one's place. */
export const ONE_COMPANY: readonly string[] = ['leads', 'contacts']
/** Kinds of whose contacts one is the main one. */
export const MAIN_CONTACT: readonly string[] = ['leads', 'customers']

/**
 * Links and unlinks records, whose rows the caller has locked, and records both sides of what changed. What is linked
 * already is only given its new quantity or place.
 */
export async function changeLinks(ctx: Context, tx: Tx, actor: Actor, changes: LinkChanges): Promise<void> {
  const rows = [...changes.add, ...changes.remove].flatMap(({ from, to }) => [from, to])
  if (rows.length === 0) return
  const records = new Map(rows.map((row) => [row.id, row]))
  const before = await findChangingLinks(tx, actor.account_id, [...records.keys()])
  const plan = new LinkPlan(actor.account_id, records, before)
  for (const { from, to } of changes.remove) plan.unlink(from.id, to.id)
  for (const wish of changes.add) plan.link(wish)
  plan.settleMainContacts()
  const { written, deleted, linked, unlinked } = plan.result()
  await deleteLinks(tx, deleted)
  await writeLinks(tx, written)
  const fresh = new Set(linked.map(({ of, to }) => `${of.id} ${to.id}`))
  const made = changes.add.filter(({ from, to }) => fresh.has(`${from.id} ${to.id}`))
  await refuseShared(tx, actor.account_id, made)
  await recordEvents(ctx, tx, actor, [
    ...unlinked.flatMap((link) => linkEvent(link, 'unlink')),
    ...linked.flatMap((link) => linkEvent(link, 'link')),
  ])
}

type End = Pick<EntityRow, 'id' | 'entity_type' | 'catalog_id'>

/** On one end that the other was linked; the rows come in pairs, so each end has its event. */
function linkEvent({ of, to }: { of: End; to: End }, what: 'link' | 'unlink'): EventDraft {
  const { linked, unlinked } = entityTypes[to.entity_type as EntityType].events
  const entity = { type: eventEntityType(to), id: to.id }
  const about = { entity_type: eventEntityType(of), entity_id: of.id }
  return (
    what === 'link'
      ? { type: linked, ...about, after: [{ link: { entity } }] }
      : { type: unlinked, ...about, before: [{ unlink: { entity } }] }
  ) as EventDraft
}

/** The links of some records as they will be: changed in memory, then compared with what was there. */
class LinkPlan {
  readonly #account_id: number
  readonly #ends: Map<number, End>
  /** The records whose contacts are all known. */
  readonly #whole: ReadonlySet<number>
  readonly #before: Map<string, LinkRow>
  readonly #after: Map<string, LinkRow>
  /** The keys of what is in #after, by the end that it is told from: a merge moves thousands. */
  readonly #keys: Map<number, Set<string>>

  constructor(account_id: number, records: Map<number, EntityRow>, before: LinkRow[]) {
    this.#account_id = account_id
    this.#ends = new Map<number, End>(records)
    this.#whole = new Set(records.keys())
    // A link whose far end is none of ours is told from the near end only: what stands there is known from it.
    const mirrored = before.flatMap((row) => [row, mirror(row)])
    for (const row of mirrored) {
      if (this.#ends.has(row.entity_id)) continue
      const catalog_id = row.entity_type === 'catalog_elements' ? row.catalog_id : null
      this.#ends.set(row.entity_id, { id: row.entity_id, entity_type: row.entity_type, catalog_id })
    }
    this.#before = new Map(mirrored.map((row) => [keyOf(row), row]))
    this.#after = new Map([...this.#before].map(([key, row]) => [key, { ...row }]))
    const keys = Map.groupBy(this.#before, ([, { entity_id }]) => entity_id)
    this.#keys = new Map([...keys].map(([id, entries]) => [id, new Set(entries.map(([key]) => key))]))
  }

  unlink(from: number, to: number): void {
    this.#drop(from, to)
    this.#drop(to, from)
  }

  link({ from, to, is_main, quantity, price_id }: LinkWish): void {
    const element = [from, to].find(({ entity_type }) => entity_type === 'catalog_elements')
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      if (ONE_COMPANY.includes(one.entity_type) && other.entity_type === 'companies')
        for (const { to_entity_id } of this.#linksOf(one.id, 'companies'))
          if (to_entity_id !== other.id) this.unlink(one.id, to_entity_id)
    const known = this.#after.get(`${from.id} ${to.id}`)
    const row: LinkRow = {
      account_id: this.#account_id,
      entity_id: from.id,
      to_entity_id: to.id,
      entity_type: from.entity_type,
      to_entity_type: to.entity_type,
      is_main: known?.is_main ?? 0,
      quantity: element ? (quantity ?? known?.quantity ?? 1) : null,
      catalog_id: element?.catalog_id ?? null,
      price_id: element ? (price_id ?? known?.price_id ?? null) : null,
    }
    this.#put(row)
    if (is_main) this.#makeMain(from, to)
  }

  /** The first contact is the main one until another is named; when the main one goes, the next takes its place. */
  settleMainContacts(): void {
    for (const { id, entity_type } of this.#ends.values()) {
      if (!MAIN_CONTACT.includes(entity_type) || !this.#whole.has(id)) continue
      const contacts = this.#linksOf(id, 'contacts')
      const first = contacts[0]
      if (first && !contacts.some(({ is_main }) => is_main === 1)) this.#put({ ...first, is_main: 1 })
    }
  }

  result() {
    const written = [...this.#after].filter(([key, row]) => {
      const before = this.#before.get(key)
      return !before || (Object.keys(row) as (keyof LinkRow)[]).some((name) => row[name] !== before[name])
    })
    const deleted = [...this.#before].filter(([key]) => !this.#after.has(key)).map(([, row]) => row)
    const ends = (row: LinkRow) => ({
      of: this.#ends.get(row.entity_id) as End,
      to: this.#ends.get(row.to_entity_id) as End,
    })
    return {
      written: written.map(([, row]) => row),
      deleted: deleted.map(({ account_id, entity_id, to_entity_id }) => ({
        account_id,
        entity_id,
        to_entity_id,
      })),
      linked: written.filter(([key]) => !this.#before.has(key)).map(([, row]) => ends(row)),
      unlinked: deleted.map(ends),
    }
  }

  #makeMain(from: EntityRow, to: EntityRow): void {
    const [owner, contact] = from.entity_type === 'contacts' ? [to, from] : [from, to]
    if (contact.entity_type !== 'contacts' || !MAIN_CONTACT.includes(owner.entity_type)) return
    for (const row of this.#linksOf(owner.id, 'contacts'))
      this.#put({ ...row, is_main: row.to_entity_id === contact.id ? 1 : 0 })
  }

  #linksOf(id: number, to_entity_type: string): LinkRow[] {
    const rows = [...(this.#keys.get(id) ?? [])].map((key) => this.#after.get(key) as LinkRow)
    return rows.filter((row) => row.to_entity_type === to_entity_type)
  }

  #put(row: LinkRow): void {
    for (const side of [row, mirror(row)]) {
      const key = keyOf(side)
      this.#after.set(key, side)
      const keys = this.#keys.get(side.entity_id)
      if (keys) keys.add(key)
      else this.#keys.set(side.entity_id, new Set([key]))
    }
  }

  #drop(from: number, to: number): void {
    this.#after.delete(`${from} ${to}`)
    this.#keys.get(from)?.delete(`${from} ${to}`)
  }
}

const keyOf = ({ entity_id, to_entity_id }: LinkRow): string => `${entity_id} ${to_entity_id}`

const mirror = (row: LinkRow): LinkRow => ({
  ...row,
  entity_id: row.to_entity_id,
  to_entity_id: row.entity_id,
  entity_type: row.to_entity_type,
  to_entity_type: row.entity_type,
})
