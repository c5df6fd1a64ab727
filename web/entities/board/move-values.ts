import { api, dataOf } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { isRequired } from '../../custom-fields/required.ts'
import type { WireValue } from '../../custom-fields/values.ts'
import { type CustomField, fieldsOptions } from '../../data/fields.ts'
import type { StagePlace } from '../../data/pipelines.ts'
import { queryClient } from '../../data/query-client.ts'

/** Values that a move needs: the loss reason and the required fields. */
export interface MoveValues {
  loss_reason_id?: number | null
  custom_fields_values?: { field_id: number; values: WireValue[] }[]
}

/** Moves a lead to a stage. */
export const moveLead = (id: number, place: StagePlace, values: MoveValues) =>
  dataOf(api.PATCH('/web/v4/leads/{id}', { params: { path: { id } }, body: { ...place, ...values } }))

/** The fields for which a stage rejected a lead, because they are not among the values of the lead. */
export async function fieldsMissingFor(
  error: unknown,
  values: readonly { field_id: number }[],
  place: StagePlace,
): Promise<CustomField[]> {
  return isMissingFields(error) ? missingFields(values, place).catch(() => []) : []
}

/** Whether a stage rejected a lead because required fields are empty. */
const isMissingFields = (error: unknown): boolean =>
  error instanceof Problem &&
  error.faults.some(({ code, path }) => code === 'FieldMissing' && path === 'custom_fields_values')

/** Returns the fields that a stage requires and the lead does not have. */
export async function missingFields(
  values: readonly { field_id: number }[] | null | undefined,
  place: StagePlace,
): Promise<CustomField[]> {
  const fields = await queryClient.fetchQuery(fieldsOptions('leads'))
  const filled = new Set(values?.map(({ field_id }) => field_id))
  return fields.filter((field) => isRequired(field, place) && !filled.has(field.id))
}
