import { exchange } from '../api/client.ts'
import type { AnyRecord, Collection } from './records.ts'

/** A change as the API takes it: only what differs. */
export interface RecordPatch {
  custom_fields_values?: { field_id: number; values: readonly Readonly<Record<string, unknown>>[] }[]
  tags_to_add?: { name: string }[]
  tags_to_delete?: { name: string }[]
  [member: string]: unknown
}

/** What of a record a change is of: a member, a field by its id, or what belongs together. */
export type Member = 'name' | 'stage' | 'tags' | `field:${number}` | (string & {})

/** Members of the API that are one thing for a person. */
const together: Record<string, Member> = {
  first_name: 'name',
  last_name: 'name',
  pipeline_id: 'stage',
  status_id: 'stage',
  loss_reason_id: 'stage',
  tags_to_add: 'tags',
  tags_to_delete: 'tags',
}

/** `etag`: the state that was seen; in another one the change is refused (412). */
export const patchRecord = (collection: Collection, id: number, patch: RecordPatch, etag?: string) =>
  exchange<{ updated_at: number }>('PATCH', `/web/v4/${collection}/${id}`, patch, { ifMatch: etag })

export function membersOf(patch: RecordPatch): Member[] {
  const { custom_fields_values = [], ...rest } = patch
  const fields = custom_fields_values.map(({ field_id }) => `field:${field_id}`)
  return [...new Set([...Object.keys(rest).map((name) => together[name] ?? name), ...fields])]
}

/** Every member that a card shows, to tell what differs between two states of a record. */
export const membersIn = (record: AnyRecord): Member[] => [
  ...shownMembers.filter((name) => name in record),
  ...('status_id' in record ? ['stage'] : []),
  ...(record._embedded && 'tags' in record._embedded ? ['tags'] : []),
  ...(record.custom_fields_values ?? []).map(({ field_id }) => `field:${field_id}`),
]
const shownMembers = ['name', 'price', 'responsible_user_id', 'next_price', 'next_date', 'periodicity']

/** What a record has there; undefined for nothing. */
export function valueAt(record: AnyRecord, member: Member): unknown {
  if (member === 'stage') return [record.pipeline_id, record.status_id]
  if (member === 'name') return [record.name, record.first_name, record.last_name]
  if (member === 'tags') return record._embedded?.tags?.map(({ name }) => name)
  if (!member.startsWith('field:')) return record[member as keyof AnyRecord]
  const field_id = Number(member.slice('field:'.length))
  return record.custom_fields_values?.find((entry) => entry.field_id === field_id)?.values
}

/** The record as it will be, before the server has said so. */
export function withPatch<Kept extends AnyRecord>(record: Kept, patch: RecordPatch): Kept {
  const { custom_fields_values = [], tags_to_add = [], tags_to_delete = [], ...members } = patch
  const after = { ...record, ...members } as Kept
  if ('first_name' in members || 'last_name' in members)
    after.name = [after.first_name, after.last_name].filter(Boolean).join(' ')
  for (const { field_id, values } of custom_fields_values) {
    const rest = after.custom_fields_values ?? []
    const known = rest.find((entry) => entry.field_id === field_id)
    const entry = {
      field_name: '',
      field_code: null,
      field_type: '',
      ...known,
      field_id,
      values: [...values],
    }
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

/** Whether two values are the same, in whatever order their members stand. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const [mine, theirs] = [Object.entries(one), Object.entries(other)]
  return (
    mine.length === theirs.length &&
    mine.every(([name, value]) => isSame(value, (other as Record<string, unknown>)[name]))
  )
}
