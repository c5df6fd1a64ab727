import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { type CustomField, fieldsOptions } from '../data/fields.ts'
import { isSame, type Member, membersIn, type RecordPatch, valueAt, withPatch } from '../data/record-patch.ts'
import { type Unsaved, useRecordWrites } from '../data/record-writes.ts'
import { type Author, authorOf, type Collection, isChangedBy, type ReadRecord } from '../data/records.ts'
import { useRecordPermission } from '../shell/use-record-permission.ts'
import { useSignedIn } from '../shell/use-session.ts'

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

const CardContext = createContext<Card | null>(null)

export function useCard(): Card {
  const card = useContext(CardContext)
  if (!card) throw new Error('this stands on a card')
  return card
}

interface CardStateProps extends Pick<Card, 'collection' | 'id' | 'read' | 'isTrashed'> {
  children: ReactNode
}

/** Keeps the state of a card and saves its changes. */
export function CardState({ collection, id, read, isTrashed, children }: CardStateProps) {
  const { save, pending, unsaved } = useRecordWrites(collection, id)
  const record = useMemo(
    () => pending.reduce((before, { patch }) => withPatch(before, patch), read),
    [pending, read],
  )
  const { data: fields = [] } = useQuery(fieldsOptions(collection))
  const [open, setOpen] = useState<Member | null>(null)
  const isAllowed = useRecordPermission(collection)
  const changed = useRecentChanges(read)
  const card: Card = {
    collection,
    id,
    record,
    read,
    fields,
    canEdit: !isTrashed && isAllowed('edit', read),
    canDelete: isAllowed('delete', read),
    isTrashed,
    changed,
    unsaved,
    open,
    setOpen,
    save: (patch, seen = record) => save({ patch, seen }),
  }
  return <CardContext value={card}>{children}</CardContext>
}

/** Milliseconds for which a change is highlighted. */
const SHOWN = 8_000
const none: ReadonlyMap<Member, Author> = new Map()

/**
 * Returns the properties that someone else has just changed, with their author. The record is without pending changes,
 * because its author did not make them.
 */
function useRecentChanges(record: ReadRecord): ReadonlyMap<Member, Author> {
  const { user } = useSignedIn()
  const before = useRef(record)
  const [changed, setChanged] = useState(none)
  useEffect(() => {
    const last = before.current
    before.current = record
    if (last.id !== record.id || isChangedBy(record, user.id) || last.updated_at > record.updated_at) return
    const members = new Set([...membersIn(last), ...membersIn(record)])
    const differ = [...members].filter((one) => !isSame(valueAt(last, one), valueAt(record, one)))
    if (differ.length === 0) return
    const author = authorOf(record)
    setChanged((all) => new Map([...all, ...differ.map((one) => [one, author] as const)]))
  }, [record, user.id])
  useEffect(() => {
    if (changed.size === 0) return
    const timer = setTimeout(() => setChanged(none), SHOWN)
    return () => clearTimeout(timer)
  }, [changed])
  return changed
}
