import { type Access, insufficientRights, mayAdd } from '../entities/entities.ts'
import type { ImportedType } from './targets.ts'

/** Who imports has to be allowed to add. */
export function requireMayAdd(access: Access, type: ImportedType): void {
  if (!mayAdd(access, type)) throw insufficientRights()
}
