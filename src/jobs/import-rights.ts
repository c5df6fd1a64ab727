import { type Access, canAdd, insufficientRights } from '../entities/entities.ts'
import type { ImportedType } from './targets.ts'

/** Requires the right to add records. */
export function requireMayAdd(access: Access, type: ImportedType): void {
  if (!canAdd(access, type)) throw insufficientRights()
}
