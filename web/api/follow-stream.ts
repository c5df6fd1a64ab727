import { doubtReachable } from './reachable.ts'

/** The milliseconds to wait after refusals, increasing. */
const AGAIN = [1_000, 3_000, 10_000, 30_000]

interface Followed {
  /** The address of a stream of server-sent events. */
  path: string
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
 * page closes its stream and opens it again when it becomes visible.
 */
export function followStream({ path, event, onData, others = {}, onReturn }: Followed): () => void {
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
    for (const [name, read] of Object.entries(others))
      source.addEventListener(name, ({ data }: MessageEvent<string>) => read(data))
    source.onopen = () => {
      refusals = 0
    }
    // The browser reconnects after a break, but not after a refusal.
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
