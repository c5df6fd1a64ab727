import { createHash } from 'node:crypto'
import { parseStored, type StoredValues } from '../custom-fields/custom-fields.ts'
import type { EntityRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import type { StoredEntity } from './queries.ts'
import type { RecordView } from './views.ts'
import type { WorkingCopy } from './working-copy.ts'

/** What a person edits of a record. What follows from tasks, purchases and links is not his, and changes while he does. */
const own = [
  'name',
  'first_name',
  'last_name',
  'responsible_user_id',
  'created_by',
  'created_at',
  'price',
  'price_with_minor_units',
  'pipeline_id',
  'status_id',
  'loss_reason_id',
  'source_id',
  'closed_at',
  'next_price',
  'next_date',
  'periodicity',
] as const satisfies readonly (keyof EntityRow)[]

/** What a record's own members are, its values and tags among them, as one short text: the same for the same. */
export function versionOf(row: EntityRow, values: StoredValues, tags: Iterable<number>): string {
  const said = [own.map((column) => row[column]), values, [...tags].sort((a, b) => a - b)]
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 22)
}

/** The version of a record that was read, and of its tags as they are shown. */
export function shownVersion(row: StoredEntity, record: RecordView): string {
  const tags = '_embedded' in record ? (record._embedded.tags ?? []) : []
  return versionOf(
    row,
    parseStored(row.field_values),
    tags.map(({ id }) => id),
  )
}

const versionBefore = ({ row, before, values_before, tags_before }: WorkingCopy): string =>
  versionOf(before ?? row, values_before, tags_before)

export const versionAfter = ({ row, values, tags }: WorkingCopy): string => versionOf(row, values, tags)

/** Refuses to write over what somebody else wrote since the writer has read it; null when he did not say what he read. */
export function requireVersion(copy: WorkingCopy, expected: readonly string[] | null): void {
  if (expected === null || expected.includes(versionBefore(copy))) return
  throw new Refusal('changed', 'The record was changed meanwhile. Read it again before you write.', {
    code: 'changed_meanwhile',
  })
}
