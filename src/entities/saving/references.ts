import { findMembers, type MemberOfAccount } from '../../accounts/accounts.ts'
import { type FieldSet, findFields } from '../../custom-fields/custom-fields.ts'
import type { Tx } from '../../db/database.ts'
import type { LossReasonRow } from '../../db/tables.ts'
import { findCustomerStages, findLossReasons, findStages, type Stages } from '../../pipelines/pipelines.ts'
import type { RecordDraft } from '../records/draft-schemas.ts'
import { type EntityType, entityTypes } from '../records/entity-types.ts'
import { holdSegments } from '../records/membership-queries.ts'
import { namedSegments } from '../records/segment-members.ts'
import { type KnownTags, resolveTags } from '../tags/tags.ts'

/** Everything in the account to which the drafts of a batch can refer, loaded once. */
export interface References {
  members: ReadonlyMap<number, MemberOfAccount>
  fields: FieldSet
  stages: Stages | null
  customer_stages: { first: number; ids: Set<number> } | null
  loss_reasons: Map<number, LossReasonRow>
  /** The segments that the drafts name and that exist. */
  segments: Set<number>
  tags: KnownTags
}

/** The tags and segments that drafts name: a writer locks or creates them. */
type Held = Pick<References, 'tags' | 'segments'>

/** Also creates new tags; a refusal rolls them back with everything else. */
export async function loadReferences(
  tx: Tx,
  account_id: number,
  type: EntityType,
  drafts: readonly RecordDraft[],
  catalog_id: number | null = null,
): Promise<References> {
  return loadBeside(tx, account_id, type, drafts, await holdNamed(tx, account_id, type, drafts), catalog_id)
}

/**
 * Finds, creates and locks the tags and segments of drafts: before records are locked, so that concurrent writers of the
 * same ones wait for each other here only.
 */
export async function holdNamed(
  tx: Tx,
  account_id: number,
  type: EntityType,
  drafts: readonly RecordDraft[],
): Promise<Held> {
  const tags = await resolveTags(tx, account_id, type, drafts)
  const named = type === 'customers' ? drafts.flatMap((draft) => namedSegments(draft) ?? []) : []
  return { tags, segments: await holdSegments(tx, account_id, named) }
}

/** Loads the other references, which can be done while records are locked. */
export async function loadBeside(
  tx: Tx,
  account_id: number,
  type: EntityType,
  drafts: readonly RecordDraft[],
  held: Held,
  catalog_id: number | null = null,
): Promise<References> {
  const namesReason = type === 'leads' && drafts.some(({ loss_reason_id }) => loss_reason_id != null)
  const [members, fields, stages, customer_stages, loss_reasons] = await Promise.all([
    findMembers(tx, account_id),
    findFields(tx, account_id, entityTypes[type].fields, catalog_id),
    type === 'leads' ? findStages(tx, account_id) : null,
    type === 'customers' ? findCustomerStages(tx, account_id) : null,
    namesReason ? findLossReasons(tx, account_id) : new Map(),
  ])
  return { ...held, members, fields, stages, customer_stages, loss_reasons }
}
