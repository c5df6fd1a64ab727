import type { CustomField } from '../data/fields.ts'
import { isAt, type StagePlace } from '../data/pipelines.ts'

/** Returns whether a field is required: always, or in a stage. */
export const isRequired = (
  { is_required, required_statuses }: CustomField,
  place: Partial<StagePlace> | null,
): boolean =>
  is_required === true || (place !== null && (required_statuses ?? []).some((stage) => isAt(place, stage)))
