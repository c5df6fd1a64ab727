import { useEffect, useRef, useState } from 'react'
import { isSame, type Member, membersIn, valueAt } from '../data/record-patch.ts'
import { isChangedBy, type ReadRecord } from '../data/records.ts'
import { useSignedIn } from '../shell/use-session.ts'

/** Milliseconds for which a change is highlighted. */
const SHOWN = 8_000
const none: ReadonlyMap<Member, number> = new Map()

/** Returns the properties that someone else has just changed, with the id of that person. */
export function useRecentChanges(record: ReadRecord): ReadonlyMap<Member, number> {
  const { user } = useSignedIn()
  const before = useRef(record)
  const [changed, setChanged] = useState(none)
  useEffect(() => {
    const last = before.current
    before.current = record
    const by = record.updated_by ?? 0
    if (last.id !== record.id || isChangedBy(record, user.id) || last.updated_at > record.updated_at) return
    const members = new Set([...membersIn(last), ...membersIn(record)])
    const differ = [...members].filter((one) => !isSame(valueAt(last, one), valueAt(record, one)))
    if (differ.length > 0) setChanged((all) => new Map([...all, ...differ.map((one) => [one, by] as const)]))
  }, [record, user.id])
  useEffect(() => {
    if (changed.size === 0) return
    const timer = setTimeout(() => setChanged(none), SHOWN)
    return () => clearTimeout(timer)
  }, [changed])
  return changed
}
