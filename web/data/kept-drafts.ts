import { useSyncExternalStore } from 'react'
import { createListeners } from '../api/listeners.ts'
import { draftPlace, storeDraft, storedDraft } from './draft-storage.ts'
import { queryClient } from './query-client.ts'
import { type Session, sessionOptions } from './session.ts'

/** The drafts of one kind, by their keys. */
export interface Drafts<Draft> {
  of: (key: string) => Draft
  use: (key: string) => Draft
  keep: (key: string, change: Partial<Draft>) => void
  drop: (key: string) => void
}

/**
 * Drafts that survive a reload and the end of the session (W10). They belong to this tab and to the person who wrote them.
 * `storedOf` leaves out what storage cannot hold, such as files. These are kept only while the page is open.
 */
export function keepDrafts<Draft extends object>(
  kind: string,
  empty: Draft,
  storedOf: (draft: Draft) => Partial<Draft> = (draft) => draft,
): Drafts<Draft> {
  const drafts = new Map<string, Draft>()
  const { listen, tell } = createListeners()
  const put = (key: string, draft: Draft) => {
    const place = placeOf(kind, key)
    if (JSON.stringify(draft) === JSON.stringify(empty)) drafts.delete(place)
    else drafts.set(place, draft)
    const text = JSON.stringify(storedOf(draft))
    storeDraft(place, text === JSON.stringify(storedOf(empty)) ? null : text)
    tell()
  }
  const of = (key: string): Draft => {
    const place = placeOf(kind, key)
    const known = drafts.get(place)
    if (known) return known
    const stored = storedDraft(place) as Partial<Draft> | null
    if (!stored) return empty
    const draft = { ...empty, ...stored }
    drafts.set(place, draft)
    return draft
  }
  return {
    of,
    use: (key) => useSyncExternalStore(listen, () => of(key)),
    keep: (key, change) => put(key, { ...of(key), ...change }),
    drop: (key) => put(key, empty),
  }
}

/** The session of the person who writes. A draft that is restored after its end still belongs to them. */
let writers: Session | undefined

function placeOf(kind: string, key: string): string {
  const session = queryClient.getQueryData(sessionOptions.queryKey)
  if (session?.user) writers = session
  return draftPlace(writers?.user?.id, writers?.account?.id, kind, key)
}
