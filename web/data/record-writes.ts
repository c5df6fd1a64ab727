import { mutationOptions, queryOptions, skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useReducer } from 'react'
import { api, taggedOf } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import { queryClient } from './query-client.ts'
import { settleLists, showRecord } from './record-lists.ts'
import { isSame, type Member, membersOf, type RecordPatch, valueAt, withPatch } from './record-patch.ts'
import {
  type Collection,
  isChangedBy,
  type ReadRecord,
  readRecord,
  recordOptions,
  recordsPath,
} from './records.ts'
import { sessionOptions } from './session.ts'
import { usePendingWrites, writesTo } from './writes.ts'

/**
 * Changes of one record (W4). They go out in order, so that no change conflicts with the one before it. A change carries
 * the state of the record that its author saw. If somebody else changed the same member since, nothing is written and the
 * author chooses. Input that is not stored stays in `unsaved`, so nothing is lost.
 */
export interface RecordWrite {
  patch: RecordPatch
  seen: ReadRecord
}

/** A change that was not saved. */
export interface Unsaved {
  member: Member
  patch: RecordPatch
  /** The record with the other person's change of the same member. */
  theirs?: ReadRecord
  /** Why the server refused the change. */
  error?: unknown
}

/** How often a change is sent again because another member of the record has changed. */
const MAX_ATTEMPTS = 5
/** Milliseconds for which a stored change is remembered. */
const REMEMBERED = 3_600_000

const placeOf = (collection: Collection, id: number) => ['record', collection, id]

const none: readonly Unsaved[] = []

const unsavedOptions = (collection: Collection, id: number) =>
  queryOptions<readonly Unsaved[]>({
    queryKey: ['unsaved', collection, id],
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
function changeUnsaved(
  collection: Collection,
  id: number,
  change: (unsaved: readonly Unsaved[]) => readonly Unsaved[],
): void {
  const { queryKey } = unsavedOptions(collection, id)
  queryClient.setQueryData(queryKey, (unsaved = none) => change(unsaved))
}

/** Discards a change that was not saved. */
export const dismiss = (collection: Collection, id: number, given: Unsaved): void =>
  changeUnsaved(collection, id, (unsaved) => unsaved.filter((one) => one !== given))

/** The changes of a record that are pending, those that are not stored, and how to save another. */
export function useRecordWrites(collection: Collection, id: number) {
  const { mutate } = useMutation(saveRecord(collection, id))
  const pending = usePendingWrites<RecordWrite>(placeOf(collection, id))
  const { data: unsaved = none } = useQuery(unsavedOptions(collection, id))
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const save = (write: RecordWrite) => {
    mutate(write)
    // Within the event: a controlled checkbox would first return to its old state.
    redraw()
  }
  return { save, pending, unsaved }
}

const saveRecord = (collection: Collection, id: number) =>
  mutationOptions({
    ...writesTo(placeOf(collection, id)),
    mutationFn: (write: RecordWrite) => store(collection, id, write),
    onMutate: ({ patch }) => {
      const members = membersOf(patch)
      changeUnsaved(collection, id, (unsaved) => unsaved.filter(({ member }) => !members.includes(member)))
    },
    onSuccess: ({ conflicts }) => changeUnsaved(collection, id, (unsaved) => [...unsaved, ...conflicts]),
    onError: (error, { patch }) => {
      const [member = 'name'] = membersOf(patch)
      changeUnsaved(collection, id, (unsaved) => [...unsaved, { member, patch, error }])
    },
    gcTime: REMEMBERED,
  })

interface Outcome {
  conflicts: Unsaved[]
  /** The record with the change, as it was sent. */
  stored?: ReadRecord
  /** The version before it, if somebody else made that. */
  over?: ReadRecord | undefined
}

async function store(collection: Collection, id: number, { patch, seen }: RecordWrite): Promise<Outcome> {
  const { queryKey } = recordOptions(collection, id)
  for (let attempt = 1; ; attempt++) {
    const current = await queryClient.ensureQueryData(recordOptions(collection, id))
    const members = conflictingMembers(collection, id, current, { patch, seen })
    if (members.length > 0) {
      const theirs = { ...current, ...authorOfOthers(collection, id, current) }
      return { conflicts: members.map((member) => ({ member, patch, theirs })) }
    }
    try {
      const { data, etag } = await taggedOf(sendPatch(collection, id, patch, current.etag))
      await queryClient.cancelQueries({ queryKey, exact: true })
      const author = { updated_by: myId() ?? current.updated_by, updated_by_integration: null }
      const stored = { ...withPatch(current, patch), ...author, updated_at: data.updated_at, etag }
      queryClient.setQueryData(queryKey, stored)
      showRecord(collection, stored)
      settleLists(collection)
      return { conflicts: [], stored, over: isMine(current) ? undefined : current }
    } catch (error) {
      const hasChanged = error instanceof Problem && error.status === 412
      if (!hasChanged || attempt === MAX_ATTEMPTS) throw error
      await queryClient.cancelQueries({ queryKey, exact: true })
      queryClient.setQueryData(queryKey, await readRecord(collection, id))
    }
  }
}

const myId = () => queryClient.getQueryData(sessionOptions.queryKey)?.user?.id
const isMine = (record: ReadRecord) => isChangedBy(record, myId())

/** `etag` is the version that the author saw. For another version, the change is refused (412). */
function sendPatch(collection: Collection, id: number, body: RecordPatch, etag: string | undefined) {
  const [root, path] = recordsPath(collection)
  const params = { path: { ...path, id }, header: { 'If-Match': etag } }
  return api.PATCH(`${root}/{id}`, { params, body })
}

/** Members that somebody else has changed since they were seen, to another value than the new one. */
function conflictingMembers(
  collection: Collection,
  id: number,
  current: ReadRecord,
  { patch, seen }: RecordWrite,
): Member[] {
  const wanted = withPatch(current, patch)
  return membersOf(patch).filter((member) => {
    // Tags are added and removed one by one, so two people do not overwrite each other's.
    if (member === 'tags') return false
    const [before, now] = [valueAt(seen, member), valueAt(current, member)]
    if (isSame(now, before) || isSame(now, valueAt(wanted, member))) return false
    return !(isMine(current) && isSame(before, lastStored(collection, id, member)))
  })
}

/** The changes of a record that this page has stored, the oldest first. */
function storedWrites(collection: Collection, id: number): (RecordWrite & Outcome)[] {
  const { mutationKey } = writesTo(placeOf(collection, id))
  return queryClient
    .getMutationCache()
    .findAll({ mutationKey, status: 'success' })
    .map(({ state }) => ({ ...(state.variables as RecordWrite), ...(state.data as Outcome) }))
    .filter(({ stored }) => stored)
}

/**
 * The value that this page stored last. The server may have changed its form, which is not another person's change.
 * Undefined if somebody else has changed the record since, because then the difference may be theirs.
 */
function lastStored(collection: Collection, id: number, member: Member): unknown {
  const writes = storedWrites(collection, id)
  const last = writes.findLastIndex(({ patch }) => membersOf(patch).includes(member))
  const stored = writes[last]?.stored
  return stored && !writes.slice(last + 1).some(({ over }) => over) ? valueAt(stored, member) : undefined
}

/** The author and the time of the last change by somebody else, where this page knows of one. */
function authorOfOthers(collection: Collection, id: number, current: ReadRecord): Partial<ReadRecord> {
  const over = isMine(current) ? storedWrites(collection, id).findLast((one) => one.over)?.over : undefined
  if (!over) return {}
  const { updated_by, updated_by_integration, updated_at } = over
  return { updated_by, updated_by_integration, updated_at }
}
