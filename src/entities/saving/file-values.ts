import type { FieldSet, WrittenValues } from '../../custom-fields/custom-fields.ts'
import type { Tx } from '../../db/database.ts'
import { findFiles } from '../../drive/drive.ts'

interface Draft {
  custom_fields_values?: WrittenValues
}

/** A value of a file that lacks its name or its size. */
interface Bare {
  file_uuid: string
  file_name?: string | null
  file_size?: number | null
}

/**
 * Adds the name and the size to values that name a file alone: integrations can leave them out, and readers show them. A
 * file that does not exist stays as it was written.
 */
export async function withFileNames<Item extends Draft>(
  tx: Tx,
  account_id: number,
  { list }: FieldSet,
  drafts: Item[],
): Promise<Item[]> {
  if (!list.some(({ type }) => type === 'file')) return drafts
  const bare = drafts.flatMap(({ custom_fields_values }) =>
    (custom_fields_values ?? []).flatMap(({ values }) => (values ?? []).filter(isBare)),
  )
  if (bare.length === 0) return drafts
  const files = await findFiles(tx, account_id, [...new Set(bare.map(({ value }) => uuidOf(value)))])
  const complete = (one: unknown): unknown => {
    const file = isBare(one) ? files.get(uuidOf(one.value)) : undefined
    if (!file) return one
    const { value, ...others } = one as { value: Bare }
    const { file_name, file_size, ...rest } = value
    return {
      ...others,
      value: { ...rest, file_name: file_name ?? file.name, file_size: file_size ?? file.size },
    }
  }
  return drafts.map((draft) => ({
    ...draft,
    ...(draft.custom_fields_values && {
      custom_fields_values: draft.custom_fields_values.map(({ values, ...field }) => ({
        ...field,
        values: values?.map(complete) ?? values,
      })),
    }),
  }))
}

function isBare(one: unknown): one is { value: Bare } {
  const { value } = Object(one)
  const { file_uuid, file_name, file_size } = Object(value)
  return typeof file_uuid === 'string' && (file_name == null || file_size == null)
}

const uuidOf = ({ file_uuid }: Bare): string => file_uuid.toLowerCase()
