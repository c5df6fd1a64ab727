import { useCallback, useSyncExternalStore } from 'react'
import { Problem } from '../api/problem.ts'
import { queryClient } from '../data/query-client.ts'
import { keepInLists, settleLists } from '../data/record-cache.ts'
import {
  isSame,
  type Member,
  membersOf,
  patchRecord,
  type RecordPatch,
  valueAt,
  withPatch,
} from '../data/record-patch.ts'
import { type Collection, type ReadRecord, readRecord, recordOptions } from '../data/records.ts'
import { sessionOptions } from '../data/session.ts'

/** What a person wrote and what does not stand: he chooses what becomes of it. */
export interface Unsaved {
  member: Member
  patch: RecordPatch
  /** The record as somebody else left it, who changed the same meanwhile. */
  theirs?: ReadRecord
  /** Why the server did not take it. */
  error?: unknown
}

export interface Saving {
  /** Changes that are on their way; the card shows them as done. */
  pending: readonly RecordPatch[]
  unsaved: readonly Unsaved[]
}

/** Nothing is on its way, and everything stands. */
export const idle: Saving = { pending: [], unsaved: [] }
const states = new Map<string, Saving>()
const listeners = new Set<() => void>()
/** Changes of one record go one after the other, so that none of them is somebody else's for the next. */
const queues = new Map<string, Promise<unknown>>()
/** What was written here last: the server may have put it in another form, which is nobody else's change. */
const written = new Map<string, unknown>()
/** How often a change is written again because something else of the record changed meanwhile. */
const MOST_TRIES = 5

const keyOf = (collection: Collection, id: number) => `${collection}/${id}`
const stateOf = (key: string) => states.get(key) ?? idle

function change(key: string, to: (state: Saving) => Saving): void {
  const state = to(stateOf(key))
  if (state.pending.length + state.unsaved.length > 0) states.set(key, state)
  else states.delete(key)
  for (const tell of listeners) tell()
}

export function useSaving(collection: Collection, id: number): Saving {
  const key = keyOf(collection, id)
  const state = useCallback(() => stateOf(key), [key])
  return useSyncExternalStore(subscribe, state)
}
const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => {
    listeners.delete(tell)
  }
}

/**
 * Writes what a person changed, and nothing else. What others changed meanwhile stays theirs: where they changed the very
 * same, nothing is written and the person is asked. Nothing that he wrote is lost: what does not stand is `unsaved`.
 * `seen` is the record as it was when he began to write.
 */
export async function saveRecord(
  collection: Collection,
  id: number,
  patch: RecordPatch,
  seen: ReadRecord,
): Promise<void> {
  const key = keyOf(collection, id)
  const members = membersOf(patch)
  change(key, ({ pending, unsaved }) => ({
    pending: [...pending, patch],
    unsaved: unsaved.filter(({ member }) => !members.includes(member)),
  }))
  const turn = (queues.get(key) ?? Promise.resolve())
    .then(() => write(collection, id, patch, seen))
    .catch((error: unknown) => [{ member: members[0] as Member, patch, error }])
  queues.set(key, turn)
  const left = await turn
  change(key, ({ pending, unsaved }) => ({
    pending: pending.filter((one) => one !== patch),
    unsaved: [...unsaved, ...left],
  }))
}

/** What was written is given up. */
export function dismiss(collection: Collection, id: number, unsaved: Unsaved): void {
  change(keyOf(collection, id), (state) => ({
    ...state,
    unsaved: state.unsaved.filter((one) => one !== unsaved),
  }))
}

async function write(
  collection: Collection,
  id: number,
  patch: RecordPatch,
  seen: ReadRecord,
): Promise<Unsaved[]> {
  const { queryKey } = recordOptions(collection, id)
  for (let tries = 1; ; tries++) {
    const current = await queryClient.ensureQueryData(recordOptions(collection, id))
    const clashes = clashesOf(keyOf(collection, id), current, patch, seen)
    if (clashes.length > 0) return clashes
    try {
      const { answer, etag } = await patchRecord(collection, id, patch, current.etag)
      await queryClient.cancelQueries({ queryKey, exact: true })
      const after = { ...withPatch(current, patch), updated_at: answer.updated_at, etag }
      queryClient.setQueryData(queryKey, after)
      for (const member of membersOf(patch))
        written.set(`${keyOf(collection, id)} ${member}`, valueAt(after, member))
      keepInLists(collection, after)
      settleLists(collection)
      return []
    } catch (error) {
      const wasChanged = error instanceof Problem && error.status === 412
      if (!wasChanged || tries === MOST_TRIES) throw error
      await queryClient.cancelQueries({ queryKey, exact: true })
      queryClient.setQueryData(queryKey, await readRecord(collection, id))
    }
  }
}

/** Members that somebody else changed since they were seen, to something else than what is written now. */
function clashesOf(key: string, current: ReadRecord, patch: RecordPatch, seen: ReadRecord): Unsaved[] {
  const isMine = current.updated_by === queryClient.getQueryData(sessionOptions.queryKey)?.user?.id
  const wanted = withPatch(current, patch)
  return membersOf(patch)
    .filter((member) => {
      // Tags are added and taken away one by one: nobody's are lost.
      if (member === 'tags') return false
      const [before, now] = [valueAt(seen, member), valueAt(current, member)]
      if (isSame(now, before) || isSame(now, valueAt(wanted, member))) return false
      return !(isMine && isSame(before, written.get(`${key} ${member}`)))
    })
    .map((member) => ({ member, patch, theirs: current }))
}
