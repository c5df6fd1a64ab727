import { mutationOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { createListeners } from '../api/listeners.ts'
import { Cancelled } from '../api/problem.ts'
import { upload } from './drive.ts'
import { queryClient } from './query-client.ts'
import { type Place, usePendingWrites, writesTo } from './writes.ts'

/**
 * Rows that a person writes: a note, a message. The server sends a new row twice, as the response to the write and by the
 * live stream, which can be faster. So that the row is drawn once, nothing is read at its place until the response is
 * there. From then on its id is known, and it counts as pending only until it is among the rows.
 */
export interface NewRow {
  /** Names the row. */
  key: string
  file?: File | undefined
}

interface Progress {
  /** How much of the file is uploaded, from 0 to 1. */
  share?: number
  id?: string | number
}

const posts = new Map<string, Promise<unknown>>()
/** By the keys of pending rows. */
const progress = new Map<string, Progress>()
const { listen, tell } = createListeners()

function report(key: string, change: Progress | null): void {
  if (change) progress.set(key, { ...progress.get(key), ...change })
  else progress.delete(key)
  tell()
}

/** By the keys of rows with a file: what ends the upload. */
const uploads = new Map<string, AbortController>()

/**
 * Cancels the upload of a row's file. The row goes back to where it was written, as if it was refused: at once, also if it
 * waits for the upload of another row.
 */
export function cancelUpload(key: string): void {
  uploads.get(key)?.abort()
  const writes = queryClient.getMutationCache()
  const waiting = writes.find({
    predicate: ({ state }) => state.isPaused && (state.variables as Partial<NewRow>)?.key === key,
  })
  if (waiting) writes.remove(waiting)
}

/** How much of a row's file is uploaded, from 0 to 1. */
export const useUploadShare = (key: string): number =>
  useSyncExternalStore(listen, () => progress.get(key)?.share ?? 0)

interface RowWrites<Row, Answer> {
  place: Place
  post: (row: Row, file_uuid: string | undefined) => Promise<Answer>
  idOf: (answer: Answer) => string | number | undefined
  /** Shows the stored row. The write is pending until this ends. */
  onStored: (answer: Answer) => unknown
  onRefused: (error: Error, row: Row) => void
}

/** Uploads the file of a row, if it has one, and then posts the row. */
export const rowWrites = <Row extends NewRow, Answer>({
  place,
  post,
  idOf,
  onStored,
  onRefused,
}: RowWrites<Row, Answer>) =>
  mutationOptions({
    ...writesTo(place),
    onMutate: (row: Row) => {
      if (!row.file) return
      const controller = new AbortController()
      controller.signal.addEventListener('abort', () => onRefused(new Cancelled(), row))
      uploads.set(row.key, controller)
    },
    mutationFn: async (row: Row) => {
      const signal = uploads.get(row.key)?.signal
      const file_uuid = row.file && (await upload(row.file, (share) => report(row.key, { share }), signal))
      // From here the row is stored, and is removed like any other.
      uploads.delete(row.key)
      const answer = await watched(place, post(row, file_uuid))
      const id = idOf(answer)
      if (id !== undefined) report(row.key, { id })
      return answer
    },
    onSuccess: onStored,
    onError: (error, row) => {
      if (!uploads.get(row.key)?.signal.aborted) onRefused(error, row)
    },
    onSettled: (_answer, _error, { key }) => {
      uploads.delete(key)
      report(key, null)
    },
    gcTime: 0,
  })

async function watched<Answer>(place: Place, post: Promise<Answer>): Promise<Answer> {
  const name = place.join(' ')
  posts.set(name, post)
  try {
    return await post
  } finally {
    posts.delete(name)
  }
}

/** Ends when the request that posts a row to this place is answered or fails. */
export const writesAnswered = async (place: Place): Promise<void> => {
  await posts.get(place.join(' '))?.catch(() => {})
}

/** The pending rows of a place without those that are already among the rows. */
export const useNewRows = <Row extends NewRow>(
  place: Place,
  isAmongRows: (id: string | number) => boolean,
): Row[] =>
  usePendingWrites<Row>(place).filter(({ key }) => {
    const id = progress.get(key)?.id
    return id === undefined || !isAmongRows(id)
  })
