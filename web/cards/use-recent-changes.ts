import { useEffect, useRef, useState } from 'react'
import { isSame, type Member, membersIn, valueAt } from '../data/record-patch.ts'
import { type Author, authorOf, isChangedBy, type ReadRecord } from '../data/records.ts'
import { useSignedIn } from '../shell/use-session.ts'

/** Milliseconds for which a change is highlighted. */
const SHOWN = 8_000
const none: ReadonlyMap<Member, Author> = new Map()

/**
 * Returns the properties that someone else has just changed, with their author. The record is without pending changes,
 * because its author did not make them.
 */
export function useRecentChanges(record: ReadRecord): ReadonlyMap<Member, Author> {
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
