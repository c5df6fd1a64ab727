import { type Access, canAdd, insufficientRights } from '../entities/entities.ts'
import type { ImportedType } from './targets.ts'

/** Who imports has to be allowed to add. */
export function requireMayAdd(access: Access, type: ImportedType): void {
  if (!canAdd(access, type)) throw insufficientRights()
}
