import { hash } from 'node:crypto'
import { parseStored, type StoredValues } from '../../custom-fields/custom-fields.ts'
import type { EntityRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import type { StoredEntity } from '../records/queries.ts'
import type { WorkingCopy } from '../records/working-copy.ts'

/**
 * Columns that people edit. Columns derived from tasks, purchases and links are excluded, because they can change
 * during an edit.
 */
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
  'next_price_with_minor_units',
  'next_date',
  'periodicity',
] as const satisfies readonly (keyof EntityRow)[]

/** A short hash of the record's own columns, values and tags; equal for equal data. */
export function versionOf(row: EntityRow, values: StoredValues, tags: Iterable<number>): string {
  const content = [own.map((column) => row[column]), values, [...tags].sort((a, b) => a - b)]
  return hash('sha256', JSON.stringify(content), 'base64url').slice(0, 22)
}

/** The version of a stored record with these tags. */
export const shownVersion = (row: StoredEntity, tags: readonly { id: number }[]): string =>
  versionOf(
    row,
    parseStored(row.field_values),
    tags.map(({ id }) => id),
  )

const versionBefore = ({ row, before, values_before, tags_before }: WorkingCopy): string =>
  versionOf(before ?? row, values_before, tags_before)

export const versionAfter = ({ row, values, tags }: WorkingCopy): string => versionOf(row, values, tags)

/** Refuses a write if the record changed since the caller read it; `expected` is null if the caller does not check. */
export function requireVersion(copy: WorkingCopy, expected: readonly string[] | null): void {
  if (expected === null || expected.includes(versionBefore(copy))) return
  throw new Refusal('changed', 'The record has changed since you read it. Read it again before you write.', {
    code: 'changed_meanwhile',
  })
}
