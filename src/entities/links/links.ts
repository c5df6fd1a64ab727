import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { EntityRow, LinkRow } from '../../db/tables.ts'
import type { EventDraft } from '../../events/event-types.ts'
import { recordEvents } from '../../events/events.ts'
import { forEachFairly } from '../../fair-turns.ts'
import { refuseShared } from '../elements/element-lists.ts'
import { sumChangedLeads } from '../elements/lead-sums.ts'
import { type EntityType, entityTypes, eventEntityType } from '../records/entity-types.ts'
import { deleteLinks, findChangingLinks, writeLinks } from '../records/link-queries.ts'
import type { LinkRequest } from '../records/link-request.ts'
import { MAIN_CONTACT, ONE_COMPANY } from '../records/link-types.ts'
import type { WorkingCopy } from '../records/working-copy.ts'
import { revealWithoutLead } from './incoming.ts'

export interface LinkChanges {
  add: LinkRequest[]
  remove: { from: EntityRow; to: EntityRow }[]
}

/**
 * Links and unlinks records that the caller has locked, and records the changes on both sides. Existing links only
 * get their new quantity or main contact. Prices of leads that are sums of products follow; the caller announces the
 * `announced` records itself.
 */
export async function changeLinks(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  changes: LinkChanges,
  announced: readonly WorkingCopy[] = [],
): Promise<void> {
  const rows = [...changes.add, ...changes.remove].flatMap(({ from, to }) => [from, to])
  if (rows.length === 0) return
  const records = new Map(rows.map((row) => [row.id, row]))
  const before = await findChangingLinks(tx, actor.account_id, [...records.keys()])
  const plan = new LinkPlan(actor.account_id, records, before)
  for (const { from, to } of changes.remove) plan.unlink(from.id, to.id)
  await forEachFairly(changes.add, (linkRequest) => plan.link(linkRequest))
  await plan.updateMainContacts()
  const { written, deleted, linked, unlinked } = await plan.result()
  await deleteLinks(tx, deleted)
  await writeLinks(tx, written)
  const made: LinkRequest[] = []
  await forEachFairly(changes.add, (linkRequest) => {
    if (plan.isNew(linkRequest)) made.push(linkRequest)
  })
  await refuseShared(tx, actor.account_id, made)
  function* events(): Generator<EventDraft> {
    for (const link of unlinked) yield linkEvent(link, 'unlink')
    for (const link of linked) yield linkEvent(link, 'link')
  }
  await recordEvents(ctx, tx, actor, events())
  await revealWithoutLead(ctx, tx, actor, leftByIncoming(unlinked, records))
  await sumChangedLeads(ctx, tx, actor, [...written, ...unlinked.map(sideOf)], records, announced)
}

/** The people and companies that were taken from incoming leads. */
const leftByIncoming = (unlinked: readonly Ends[], records: ReadonlyMap<number, EntityRow>) =>
  unlinked.flatMap(({ of, to }) =>
    (of.entity_type === 'contacts' || of.entity_type === 'companies') &&
    records.get(to.id)?.entity_type === 'leads' &&
    records.get(to.id)?.is_unsorted === 1
      ? [{ entity_type: of.entity_type, id: of.id } as const]
      : [],
  )

const sideOf = ({ of, to }: Ends) => ({
  entity_id: of.id,
  entity_type: of.entity_type,
  to_entity_type: to.entity_type,
  catalog_id: to.catalog_id,
})

type End = Pick<EntityRow, 'id' | 'entity_type' | 'catalog_id'>

interface Ends {
  of: End
  to: End
}

/** The event of one side of a link. The rows come in pairs, so each side has its event. */
function linkEvent({ of, to }: Ends, what: 'link' | 'unlink'): EventDraft {
  const { linked, unlinked } = entityTypes[to.entity_type as EntityType].events
  const entity = { type: eventEntityType(to), id: to.id }
  const about = { entity_type: eventEntityType(of), entity_id: of.id }
  return (
    what === 'link'
      ? { type: linked, ...about, after: [{ link: { entity } }] }
      : { type: unlinked, ...about, before: [{ unlink: { entity } }] }
  ) as EventDraft
}

/** The planned links of some records: changed in memory, then compared with the existing ones. */
class LinkPlan {
  readonly #account_id: number
  readonly #ends: Map<number, End>
  /** Records all of whose contacts are loaded. */
  readonly #whole: ReadonlySet<number>
  readonly #before: Map<string, LinkRow>
  readonly #after: Map<string, LinkRow>
  /** Keys of #after by record and kind of the linked record. */
  readonly #byKind: Map<string, Set<string>>
  /** The requested main contact by lead or customer; the last request counts. */
  readonly #main = new Map<number, number>()

  constructor(account_id: number, records: Map<number, EntityRow>, before: LinkRow[]) {
    this.#account_id = account_id
    this.#ends = new Map<number, End>(records)
    this.#whole = new Set(records.keys())
    // If the other record is not part of the change, its row of the link was not loaded and is derived from this
    // side.
    const mirrored = before.flatMap((row) => [row, mirror(row)])
    for (const row of mirrored) {
      if (this.#ends.has(row.entity_id)) continue
      const catalog_id = row.entity_type === 'catalog_elements' ? row.catalog_id : null
      this.#ends.set(row.entity_id, { id: row.entity_id, entity_type: row.entity_type, catalog_id })
    }
    this.#before = new Map(mirrored.map((row) => [keyOf(row), row]))
    this.#after = new Map([...this.#before].map(([key, row]) => [key, { ...row }]))
    this.#byKind = new Map()
    for (const [key, row] of this.#before) this.#keysOf(row.entity_id, row.to_entity_type).add(key)
  }

  unlink(from: number, to: number): void {
    this.#drop(from, to)
    this.#drop(to, from)
  }

  link({ from, to, is_main, quantity, price_id }: LinkRequest): void {
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

  /** The first contact is the main one until another is chosen; if it is removed, the next one replaces it. */
  updateMainContacts(): Promise<void> {
    return forEachFairly(this.#ends.values(), ({ id, entity_type }) => {
      if (!MAIN_CONTACT.includes(entity_type) || !this.#whole.has(id)) return
      const contacts = this.#linksOf(id, 'contacts')
      const main =
        this.#main.get(id) ?? (contacts.find(({ is_main }) => is_main === 1) ?? contacts[0])?.to_entity_id
      for (const row of contacts) {
        const is_main = row.to_entity_id === main ? 1 : 0
        if (row.is_main !== is_main) this.#put({ ...row, is_main })
      }
    })
  }

  /** The differences from the existing links. Rows come in pairs, one for each side. */
  async result() {
    const written: LinkRow[] = []
    const deleted: Pick<LinkRow, 'account_id' | 'entity_id' | 'to_entity_id'>[] = []
    const linked: Ends[] = []
    const unlinked: Ends[] = []
    await forEachFairly(this.#after, ([key, row]) => {
      const before = this.#before.get(key)
      if (!before) linked.push(this.#endsOf(row))
      else if ((Object.keys(row) as (keyof LinkRow)[]).every((name) => row[name] === before[name])) return
      written.push(row)
    })
    await forEachFairly(this.#before, ([key, row]) => {
      if (this.#after.has(key)) return
      const { account_id, entity_id, to_entity_id } = row
      deleted.push({ account_id, entity_id, to_entity_id })
      unlinked.push(this.#endsOf(row))
    })
    return { written, deleted, linked, unlinked }
  }

  /** Whether the link is new. */
  isNew({ from, to }: LinkRequest): boolean {
    const key = `${from.id} ${to.id}`
    return this.#after.has(key) && !this.#before.has(key)
  }

  #endsOf({ entity_id, to_entity_id }: LinkRow): Ends {
    return { of: this.#ends.get(entity_id) as End, to: this.#ends.get(to_entity_id) as End }
  }

  #makeMain(from: EntityRow, to: EntityRow): void {
    const [owner, contact] = from.entity_type === 'contacts' ? [to, from] : [from, to]
    if (contact.entity_type === 'contacts' && MAIN_CONTACT.includes(owner.entity_type))
      this.#main.set(owner.id, contact.id)
  }

  #linksOf(id: number, to_entity_type: string): LinkRow[] {
    return [...this.#keysOf(id, to_entity_type)].map((key) => this.#after.get(key) as LinkRow)
  }

  #keysOf(id: number, to_entity_type: string): Set<string> {
    const name = `${id} ${to_entity_type}`
    let keys = this.#byKind.get(name)
    if (!keys) {
      keys = new Set()
      this.#byKind.set(name, keys)
    }
    return keys
  }

  #put(row: LinkRow): void {
    for (const side of [row, mirror(row)]) {
      const key = keyOf(side)
      this.#after.set(key, side)
      this.#keysOf(side.entity_id, side.to_entity_type).add(key)
    }
  }

  #drop(from: number, to: number): void {
    const key = `${from} ${to}`
    const row = this.#after.get(key)
    if (!row) return
    this.#after.delete(key)
    this.#keysOf(from, row.to_entity_type).delete(key)
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
