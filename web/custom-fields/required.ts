import type { CustomField } from '../data/fields.ts'
import type { StagePlace } from '../parts/stage-select.tsx'

/** Returns whether a field is required: always, or in a stage. */
export const isRequired = (
  { is_required, required_statuses }: CustomField,
  place: StagePlace | null,
): boolean =>
  is_required === true ||
  (required_statuses ?? []).some(
    ({ pipeline_id, status_id }) => pipeline_id === place?.pipeline_id && status_id === place?.status_id,
  )
