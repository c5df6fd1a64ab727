import { onTestFinished } from 'vitest'

/** A live stream of the leads that are added. */
export interface EventTail {
  /** Each event, as often as the stream sent it. */
  sent: { id: string; entity_id: number }[]
  hasEnded(): boolean
  /** Closes the connection. */
  close(): Promise<void>
}

/** Follows the log over one connection, from the event after `after`, or from now on. */
export async function followAddedLeads(
  base: string,
  headers: Record<string, string>,
  after?: string,
): Promise<EventTail> {
  const sent: EventTail['sent'] = []
  let hasEnded = false
  const stop = new AbortController()
  const answer = await fetch(`${base}/web/v4/events?filter[type]=lead_added`, {
    headers: { ...headers, accept: 'text/event-stream', ...(after && { 'last-event-id': after }) },
    signal: stop.signal,
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  const read = async () => {
    let rest = ''
    for await (const text of (answer.body as ReadableStream).pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() as string
      for (const line of lines) if (line.startsWith('data: {')) sent.push(JSON.parse(line.slice(6)))
    }
  }
  const reading = read()
    .catch(() => {})
    .finally(() => {
      hasEnded = true
    })
  const close = async () => {
    stop.abort()
    await reading
  }
  onTestFinished(close)
  return { sent, hasEnded: () => hasEnded, close }
}
