import { createContext, useContext } from 'react'
import type { CustomField } from '../data/fields.ts'
import type { Member, RecordPatch } from '../data/record-patch.ts'
import type { Collection, ReadRecord } from '../data/records.ts'
import type { Unsaved } from './saving.ts'

export interface Card {
  collection: Collection
  id: number
  /** As it is shown: with the changes that are on their way. */
  record: ReadRecord
  fields: CustomField[]
  canEdit: boolean
  canDelete: boolean
  isTrashed: boolean
  /** Members that somebody else changed while one looked, and who. */
  changed: ReadonlyMap<Member, number>
  unsaved: readonly Unsaved[]
  /** The member that is being written. */
  open: Member | null
  setOpen: (member: Member | null) => void
  /** `seen`: the record as it was when one began to write; as it is shown, where it is not said. */
  save: (patch: RecordPatch, seen?: ReadRecord) => void
}

export const CardContext = createContext<Card | null>(null)

export function useCard(): Card {
  const card = useContext(CardContext)
  if (!card) throw new Error('this stands on a card')
  return card
}
