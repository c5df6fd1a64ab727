import { request } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { isRequired } from '../../custom-fields/required.ts'
import type { WireValue } from '../../custom-fields/values.ts'
import type { Place } from '../../data/columns.ts'
import { type CustomField, fieldsOptions } from '../../data/fields.ts'
import { queryClient } from '../../data/query-client.ts'

/** What goes along with a move: why a lead was lost, what its new stage requires. */
export interface Along {
  loss_reason_id?: number | null
  custom_fields_values?: { field_id: number; values: readonly WireValue[] }[]
}

/** Puts a lead into a stage. */
export const moveLead = (id: number, place: Place, along: Along) =>
  request<{ id: number; updated_at: number }>('PATCH', `/web/v4/leads/${id}`, { ...place, ...along })

/** Whether a stage refused a lead because it requires values that the lead does not have. */
export const isForWantOfFields = (error: unknown): error is Problem =>
  error instanceof Problem &&
  error.faults.some(({ code, path }) => code === 'FieldMissing' && path === 'custom_fields_values')

/** The fields that a stage requires and for which there is no value. */
export async function missingFields(
  values: readonly { field_id: number }[] | null | undefined,
  place: Place,
): Promise<CustomField[]> {
  const fields = await queryClient.fetchQuery(fieldsOptions('leads'))
  const filled = new Set(values?.map(({ field_id }) => field_id))
  return fields.filter((field) => isRequired(field, place) && !filled.has(field.id))
}
