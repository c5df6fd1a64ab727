import { amountColumns, amountOf, isAmount } from '../../src/entities/records/amount-types.ts'
import type { Schemas } from '../api/client.ts'
import type { AnyRecord, RecordDraft } from './records.ts'

/** The body of a change: only the differences. */
export interface RecordPatch
  extends Omit<RecordDraft, '_embedded' | 'custom_fields_values' | 'tags_to_add' | 'tags_to_delete'> {
  _embedded?: { segments: { id: number }[] }
  custom_fields_values?: { field_id: number; values: Record<string, unknown>[] }[]
  tags_to_add?: { name: string }[]
  tags_to_delete?: { name: string }[]
}

/** The subject of a change: a property, a field by its id, or several properties that belong together. */
export type Member = 'name' | 'stage' | 'tags' | `field:${number}` | (string & {})

/** Properties of the API that people see as one. */
const together: Record<string, Member> = {
  first_name: 'name',
  last_name: 'name',
  pipeline_id: 'stage',
  status_id: 'stage',
  loss_reason_id: 'stage',
  tags_to_add: 'tags',
  tags_to_delete: 'tags',
  _embedded: 'segments',
}

export function membersOf(patch: RecordPatch): Member[] {
  const { custom_fields_values = [], ...rest } = patch
  const fields = custom_fields_values.map(({ field_id }) => `field:${field_id}`)
  return [...new Set([...Object.keys(rest).map((name) => together[name] ?? name), ...fields])]
}

/** All properties that a card shows, to compare two versions of a record. */
export const membersIn = (record: AnyRecord): Member[] => [
  ...shownMembers.filter((name) => name in record),
  ...('status_id' in record ? ['stage'] : []),
  ...(record._embedded && 'tags' in record._embedded ? ['tags'] : []),
  ...(record.custom_fields_values ?? []).map(({ field_id }) => `field:${field_id}`),
]
const shownMembers = ['name', 'price', 'responsible_user_id', 'next_price', 'next_date', 'periodicity']

/** The value in a record; undefined for none. */
export function valueAt(record: AnyRecord, member: Member): unknown {
  if (member === 'stage') return [record.pipeline_id, record.status_id]
  if (member === 'name') return [record.name, record.first_name, record.last_name]
  if (member === 'segments') return segmentsOf(record)
  if (member === 'tags') return record._embedded?.tags?.map(({ name }) => name)
  if (isAmount(member)) return record[member] === undefined ? undefined : amountOf(record, member)
  if (!member.startsWith('field:')) return record[member as keyof AnyRecord]
  const field_id = Number(member.slice('field:'.length))
  return record.custom_fields_values?.find((entry) => entry.field_id === field_id)?.values
}

const segmentsOf = ({ _embedded }: AnyRecord) =>
  _embedded && 'segments' in _embedded
    ? (_embedded.segments as { id: number }[]).map(({ id }) => id)
    : undefined

type Entry = Schemas['FieldValues']

/** The amounts of a change as records have them: whole, with the exact amount beside it. */
const amountsIn = (members: RecordPatch): object =>
  Object.assign(
    {},
    ...(['price', 'next_price'] as const)
      .filter((member) => members[member] !== undefined)
      .map((member) => amountColumns(member, members[member] ?? 0)),
  )

/** The record with a change that the server has not confirmed. */
export function withPatch<Kept extends AnyRecord>(record: Kept, patch: RecordPatch): Kept {
  const { custom_fields_values = [], tags_to_add = [], tags_to_delete = [], _embedded, ...members } = patch
  const after = { ...record, ...members, ...amountsIn(members) } as Kept
  if (_embedded) after._embedded = { ...record._embedded, ..._embedded } as Kept['_embedded']
  if ('first_name' in members || 'last_name' in members)
    after.name = [after.first_name, after.last_name].filter(Boolean).join(' ')
  for (const { field_id, values } of custom_fields_values) {
    const rest = after.custom_fields_values ?? []
    const known = rest.find((entry) => entry.field_id === field_id)
    const entry = { field_name: '', field_code: null, field_type: '', ...known, field_id, values } as Entry
    after.custom_fields_values =
      values.length === 0
        ? rest.filter((one) => one !== known)
        : known
          ? rest.map((one) => (one === known ? entry : one))
          : [...rest, entry]
  }
  if (tags_to_add.length > 0 || tags_to_delete.length > 0) {
    const gone = new Set([...tags_to_add, ...tags_to_delete].map(({ name }) => name))
    const kept = (after._embedded?.tags ?? []).filter(({ name }) => !gone.has(name))
    const added = tags_to_add.map(({ name }) => ({ id: 0, name, color: null }))
    after._embedded = { ...after._embedded, tags: [...kept, ...added] } as Kept['_embedded']
  }
  return after
}

/** Whether two values are equal, in any order of their properties. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const [mine, theirs] = [Object.entries(one), Object.entries(other)]
  return (
    mine.length === theirs.length &&
    mine.every(([name, value]) => isSame(value, (other as Record<string, unknown>)[name]))
  )
}
