import { createContext, useContext } from 'react'
import type { CustomField } from '../data/fields.ts'
import type { Member, RecordPatch } from '../data/record-patch.ts'
import type { Unsaved } from '../data/record-writes.ts'
import type { Author, Collection, ReadRecord } from '../data/records.ts'

export interface Card {
  collection: Collection
  id: number
  /** The record with pending changes applied. */
  record: ReadRecord
  /** The record without pending changes, so its author made all of them. */
  read: ReadRecord
  fields: CustomField[]
  canEdit: boolean
  canDelete: boolean
  isTrashed: boolean
  /** Properties that someone else has just changed. */
  changed: ReadonlyMap<Member, Author>
  unsaved: readonly Unsaved[]
  /** The property that is being edited. */
  open: Member | null
  setOpen: (member: Member | null) => void
  /** `seen` is the record when editing started; by default the record as shown. */
  save: (patch: RecordPatch, seen?: ReadRecord) => void
}

export const CardContext = createContext<Card | null>(null)

export function useCard(): Card {
  const card = useContext(CardContext)
  if (!card) throw new Error('this stands on a card')
  return card
}
