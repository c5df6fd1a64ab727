import { doubtReachable } from './reachable.ts'
import { takeTurns } from './stream-turns.ts'

/** The milliseconds to wait after refusals, increasing. */
const AGAIN = [1_000, 3_000, 10_000, 30_000]

/** Milliseconds after which a visible page without a stream reads again what can have changed. */
const READ_AGAIN_MS = 10_000

interface Followed {
  /** The address of a stream of server-sent events, with a query. */
  path: string
  /** When the page began to read what the stream changes, in milliseconds of `performance.now()`. */
  began: number
  /** The name of its events; `message` if they have none. */
  event: string
  onData: (data: string) => void
  /** Other events of the stream, by their names. */
  others?: Readonly<Record<string, (data: string) => void>>
  /** Called when the stream is connected again after a break, during which events can be lost. */
  onReturn: () => void
}

/**
 * Follows a stream until the returned function is called. A browser allows few connections to one server, so a hidden
 * page closes its stream and opens it again when it becomes visible. Of several visible pages, those that were used last
 * have streams, and the others read again from time to time. The server is asked for the changes since the page began to
 * read (`page_age`, in milliseconds).
 */
export function followStream({ path, began, event, onData, others = {}, onReturn }: Followed): () => void {
  let source: EventSource | undefined
  let readAt = began
  /** Whether the browser can continue a broken stream: it sends the last id that it got. */
  let canContinue = false
  let isBroken = false
  let refusals = 0
  let again: ReturnType<typeof setTimeout> | undefined
  let reading: ReturnType<typeof setInterval> | undefined

  const close = () => {
    clearTimeout(again)
    clearInterval(reading)
    source?.close()
    source = undefined
  }
  const open = () => {
    close()
    canContinue = false
    isBroken = false
    source = new EventSource(`${path}&page_age=${Math.ceil(performance.now() - readAt)}`)
    source.addEventListener(event, ({ data, lastEventId }) => {
      canContinue ||= lastEventId !== ''
      onData(data)
    })
    for (const [name, read] of Object.entries(others))
      source.addEventListener(name, ({ data }: MessageEvent<string>) => read(data))
    source.onopen = () => {
      refusals = 0
      if (isBroken && !canContinue) onReturn()
      isBroken = false
    }
    // The browser reconnects after a break, but not after a refusal.
    source.onerror = () => {
      isBroken = true
      void doubtReachable()
      if (source?.readyState !== EventSource.CLOSED) return
      again = setTimeout(reopen, AGAIN[Math.min(refusals, AGAIN.length - 1)])
      refusals += 1
    }
  }
  const reopen = () => {
    readAt = performance.now()
    open()
    onReturn()
  }
  const follow = () => {
    if (document.visibilityState === 'visible' && turn.isOurs()) {
      if (!source) reopen()
      return
    }
    close()
    if (document.visibilityState === 'visible') reading = setInterval(onReturn, READ_AGAIN_MS)
  }
  const turn = takeTurns(follow)
  document.addEventListener('visibilitychange', follow)
  if (document.visibilityState === 'visible') open()
  return () => {
    document.removeEventListener('visibilitychange', follow)
    turn.end()
    close()
  }
}
