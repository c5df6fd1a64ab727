import { doubtReachable } from './reachable.ts'

/** Milliseconds: the rests after refusals, each longer than the one before. */
const AGAIN = [1_000, 3_000, 10_000, 30_000]

interface Followed {
  /** Where the server tells what happens, as server-sent events. */
  path: string
  /** The name of what it tells; `message` where it has none. */
  event: string
  onData: (data: string) => void
  /** The stream is there again after a break in which something may have been missed. */
  onReturn: () => void
}

/**
 * Follows a stream until the answer is called. A browser opens few connections to one server, so a page that nobody sees
 * gives its own back, and begins anew when it is looked at.
 */
export function followStream({ path, event, onData, onReturn }: Followed): () => void {
  let source: EventSource | undefined
  let refusals = 0
  let again: ReturnType<typeof setTimeout> | undefined

  const close = () => {
    clearTimeout(again)
    source?.close()
    source = undefined
  }
  const open = () => {
    close()
    source = new EventSource(path)
    source.addEventListener(event, ({ data }) => onData(data))
    source.onopen = () => {
      refusals = 0
    }
    // The browser comes back by itself after a break, but not after a refusal.
    source.onerror = () => {
      void doubtReachable()
      if (source?.readyState !== EventSource.CLOSED) return
      again = setTimeout(reopen, AGAIN[Math.min(refusals, AGAIN.length - 1)])
      refusals += 1
    }
  }
  const reopen = () => {
    open()
    onReturn()
  }
  const onVisibility = () => {
    if (document.visibilityState === 'hidden') close()
    else if (!source) reopen()
  }
  document.addEventListener('visibilitychange', onVisibility)
  if (document.visibilityState === 'visible') open()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    close()
  }
}

interface Times {
  /** Milliseconds for which items are collected. */
  wait: number
  /** Milliseconds between two calls of `read`. */
  rest: number
}

/** Collects items and reads them together: soon after a quiet time, and seldom while there are many. */
export function gather<Item>(read: (items: Item[]) => void, { wait, rest }: Times) {
  let items: Item[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let readAt = 0
  const readAll = () => {
    const all = items
    items = []
    timer = undefined
    readAt = Date.now()
    read(all)
  }
  return {
    add(item: Item) {
      items.push(item)
      timer ??= setTimeout(readAll, Math.max(wait, readAt + rest - Date.now()))
    },
    end: () => clearTimeout(timer),
  }
}
