import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import { type WebhookCode, webhookCodes } from '../../webhooks/webhook-types.ts'
import { announce, type Change, findSubscriptions } from '../../webhooks/webhooks.ts'
import type { EntityType } from '../records/entity-types.ts'
import { linkedCompanies, linkedLeads } from '../records/link-queries.ts'
import type { WorkingCopy } from '../records/working-copy.ts'
import type { References } from './references.ts'
import type { Saved } from './save.ts'
import { deletedItem, itemOf, type LinkedRecords, NO_LINKS, type Previous } from './webhook-items.ts'

/** The codes that each kind of records announces. The platform has no codes for the others. */
export const codesOfKinds: Record<EntityType, Codes> = {
  leads: {
    add: 'add_lead',
    update: 'update_lead',
    status: 'status_lead',
    responsible: 'responsible_lead',
    delete: 'delete_lead',
    restore: 'restore_lead',
  },
  contacts: {
    add: 'add_contact',
    update: 'update_contact',
    responsible: 'responsible_contact',
    delete: 'delete_contact',
    restore: 'restore_contact',
  },
  companies: {
    add: 'add_company',
    update: 'update_company',
    responsible: 'responsible_company',
    delete: 'delete_company',
    restore: 'restore_company',
  },
  customers: {
    add: 'add_customer',
    update: 'update_customer',
    responsible: 'responsible_customer',
    delete: 'delete_customer',
  },
  catalog_elements: {
    add: 'add_catalog_element',
    update: 'update_catalog_element',
    delete: 'delete_catalog_element',
  },
}

interface Codes extends Record<'add' | 'update' | 'delete', WebhookCode> {
  status?: WebhookCode
  responsible?: WebhookCode
  restore?: WebhookCode
}

/** A change before the item is rendered. */
interface Announcement {
  copy: WorkingCopy
  codes: Change['codes']
  old: Previous
}

/** Announces what was saved of copies of one kind, after their links have been changed. */
export async function announceRecords(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  references: References,
  { changed, subscriptions }: Saved,
): Promise<void> {
  if (!subscriptions) return
  const announced = changed.flatMap(announcementsOf).filter(({ codes }) => subscriptions.has(...codes))
  if (announced.length === 0) return
  const linked = await linksOf(
    tx,
    actor.account_id,
    announced.map(({ copy }) => copy.row),
  )
  const changes = announced.map(({ copy, codes, old }) => ({
    codes,
    record: recordOf(copy.row),
    item:
      copy.row.is_deleted === 1 ? deletedItem(copy.row) : itemOf(copy, references, linked(copy.row.id), old),
  }))
  await announce(ctx, tx, actor, subscriptions, changes)
}

/** Announces records of one kind that were moved to the trash. */
export async function announceDeleted(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  type: EntityType,
  rows: readonly EntityRow[],
): Promise<void> {
  const subscriptions = await findSubscriptions(tx, actor.account_id)
  if (!subscriptions?.has(codesOfKinds[type].delete)) return
  const changes = rows.map(
    (row): Change => ({
      codes: [codesOfKinds[type].delete],
      record: recordOf(row),
      item: deletedItem(row),
    }),
  )
  await announce(ctx, tx, actor, subscriptions, changes)
}

/** Whether a webhook subscribes to restored records of a kind. */
export async function announcesRestored(tx: Tx, account_id: number, type: EntityType): Promise<boolean> {
  const { restore } = codesOfKinds[type]
  return restore !== undefined && ((await findSubscriptions(tx, account_id))?.has(restore) ?? false)
}

const recordOf = ({ entity_type, id }: EntityRow): string => `${entity_type} ${id}`

/** One change of a stage is announced twice, as a change of the stage and as an update. */
function announcementsOf(copy: WorkingCopy): Announcement[] {
  const { before, row } = copy
  const kind: Codes = codesOfKinds[row.entity_type as EntityType]
  const one = (code: WebhookCode | undefined): Announcement[] =>
    code === undefined ? [] : [{ copy, codes: [code], old: {} }]
  // Webhooks hear of an incoming lead and its people when it is accepted (I6).
  if (row.is_unsorted === 1) return []
  if (!before) return one(kind.add)
  if (before.is_unsorted === 1) return row.is_deleted === 1 ? [] : one(kind.add)
  if (before.is_deleted !== row.is_deleted) return one(row.is_deleted === 1 ? kind.delete : kind.restore)
  const isMoved = before.status_id !== row.status_id || before.pipeline_id !== row.pipeline_id
  const moved: Previous = kind.status && isMoved ? { old_status_id: before.status_id } : {}
  const changes = one(isMoved ? kind.status : undefined).map((one) => ({ ...one, old: moved }))
  if (kind.responsible === undefined || before.responsible_user_id === row.responsible_user_id)
    return [...changes, { copy, codes: [kind.update], old: moved }]
  const old = { ...moved, old_responsible_user_id: before.responsible_user_id }
  // Where both have one action, they are one change.
  if (webhookCodes[kind.responsible].action === webhookCodes[kind.update].action)
    return [...changes, { copy, codes: [kind.responsible, kind.update], old }]
  return [...changes, { copy, codes: [kind.responsible], old }, { copy, codes: [kind.update], old: moved }]
}

/** The linked records of contacts and companies, by their ids. */
export async function linksOf(
  db: Db,
  account_id: number,
  rows: readonly EntityRow[],
): Promise<(id: number) => LinkedRecords> {
  const ids = [...new Set(rows.filter(hasLinks).map(({ id }) => id))]
  if (ids.length === 0) return () => NO_LINKS
  const companies = new Map(
    (await linkedCompanies(db, account_id, ids)).map(({ entity_id, id, name }) => [entity_id, { id, name }]),
  )
  const leads = Map.groupBy(await linkedLeads(db, account_id, ids), ({ entity_id }) => entity_id)
  return (id) => ({
    company: companies.get(id) ?? null,
    leads: (leads.get(id) ?? []).map(({ to_entity_id }) => to_entity_id),
  })
}

const hasLinks = ({ entity_type, is_deleted }: EntityRow): boolean =>
  is_deleted === 0 && (entity_type === 'contacts' || entity_type === 'companies')
