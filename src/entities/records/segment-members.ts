import type { Tx } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import { type AddFault, noSuch } from '../../errors.ts'
import type { RecordDraft } from './draft-schemas.ts'
import { deleteMemberships, holdSegments, insertMemberships, membershipsOf } from './membership-queries.ts'

/** The segments that a draft names; undefined if it does not change them, empty if it clears them. */
export const namedSegments = ({ _embedded }: RecordDraft): number[] | undefined =>
  _embedded?.segments === undefined ? undefined : (_embedded.segments ?? []).map(({ id }) => id)

/** Adds a fault for each segment of the draft that does not exist. */
export function checkSegments(draft: RecordDraft, known: ReadonlySet<number>, addFault: AddFault): void {
  namedSegments(draft)?.forEach((id, i) => {
    if (!known.has(id)) addFault('NotSupportedChoice', `_embedded.segments.${i}.id`, noSuch('segment'))
  })
}

/**
 * Saves the segments that drafts choose by hand: `_embedded.segments` replaces all of them. Members that a filter chose
 * stay (K4).
 */
export async function saveSegments(
  tx: Tx,
  account_id: number,
  rows: readonly EntityRow[],
  drafts: readonly RecordDraft[],
): Promise<void> {
  // If a batch names a customer twice, the last draft counts.
  const wanted = new Map(
    drafts.flatMap((draft, i): [number, Set<number>][] => {
      const named = namedSegments(draft)
      return named ? [[(rows[i] as EntityRow).id, new Set(named)]] : []
    }),
  )
  if (wanted.size === 0) return
  const known = await membershipsOf(tx, account_id, [...wanted.keys()])
  const gone = known.filter(
    ({ entity_id, segment_id, is_computed }) => !is_computed && !wanted.get(entity_id)?.has(segment_id),
  )
  await deleteMemberships(tx, gone)
  const added = [...wanted].flatMap(([entity_id, ids]) =>
    [...ids].map((segment_id) => ({ account_id, entity_id, segment_id, is_computed: 0 as const })),
  )
  await insertMemberships(tx, added)
}

/** Puts the survivor of a merge into the segments of the merged customers. */
export async function moveMemberships(
  tx: Tx,
  account_id: number,
  from_ids: readonly number[],
  to: number,
): Promise<void> {
  const rows = await membershipsOf(tx, account_id, from_ids)
  // A deletion of a segment would not see the new members.
  const held = await holdSegments(
    tx,
    account_id,
    rows.map(({ segment_id }) => segment_id),
  )
  const byHand = rows.filter(({ is_computed, segment_id }) => !is_computed && held.has(segment_id))
  const moved = new Map(byHand.map((row) => [row.segment_id, { ...row, entity_id: to }]))
  await insertMemberships(tx, [...moved.values()])
  await deleteMemberships(tx, rows)
}
