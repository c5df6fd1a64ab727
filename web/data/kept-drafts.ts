import { useSyncExternalStore } from 'react'
import { draftPlace, storeDraft, storedDraft } from './draft-storage.ts'
import { queryClient } from './query-client.ts'
import { sessionOptions } from './session.ts'

/** The drafts of one kind, each by its key. */
export interface Drafts<Draft> {
  of: (key: string) => Draft
  use: (key: string) => Draft
  keep: (key: string, change: Partial<Draft>) => void
  drop: (key: string) => void
}

/**
 * Drafts that survive a reload and the end of the session. They are kept for this tab alone and for the person who wrote
 * them; `storedOf` takes off what storage cannot hold, such as files, which then live as long as the page.
 */
export function keepDrafts<Draft extends object>(
  kind: string,
  empty: Draft,
  storedOf: (draft: Draft) => Partial<Draft> = (draft) => draft,
): Drafts<Draft> {
  const drafts = new Map<string, Draft>()
  const listeners = new Set<() => void>()
  const listen = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const put = (key: string, draft: Draft) => {
    const place = placeOf(kind, key)
    drafts.set(place, draft)
    const text = JSON.stringify(storedOf(draft))
    storeDraft(place, text === JSON.stringify(storedOf(empty)) ? null : text)
    for (const listener of listeners) listener()
  }
  const of = (key: string): Draft => {
    const place = placeOf(kind, key)
    const draft = drafts.get(place) ?? { ...empty, ...(storedDraft(place) as Partial<Draft> | null) }
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

function placeOf(kind: string, key: string): string {
  const session = queryClient.getQueryData(sessionOptions.queryKey)
  return draftPlace(session?.user?.id, session?.account?.id, kind, key)
}
