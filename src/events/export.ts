import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import type { FileForm } from '../http/bodies/forms.ts'
import { eventText, type Rendering } from './event-text.ts'
import type { EventFilter } from './filters.ts'
import type { ShownEvent } from './list-queries.ts'
import { type Readers, readSlice } from './reading.ts'

/** Keeps a page's text below V8's large-object size. Large objects stay until a full collection. */
const PAGE = 50

/**
 * All events that match a filter, newest first, one page at a time. Events recorded during the export are not included.
 */
export async function* allEvents(
  ctx: Context,
  readers: Readers,
  filter: EventFilter,
  signal: AbortSignal,
): AsyncGenerator<ShownEvent[]> {
  for (let from: string | null = null; !signal.aborted; ) {
    const reader = await readers.current()
    const rows: ShownEvent[] = await readSlice(
      ctx.db,
      reader,
      { filter, direction: 'older', from },
      { limit: PAGE },
    )
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
    from = (rows.at(-1) as ShownEvent).id
    // Serve other requests between pages.
    await setImmediate()
  }
}

/** How a page of events is written, and the text before the first page. */
export interface Writing {
  type: string
  head: string
  page(events: readonly ShownEvent[], rendering: Rendering): string | Promise<string>
}

export type StreamForm = 'tail' | FileForm

export const writings: Record<Exclude<StreamForm, 'csv'>, Writing> = {
  // Server-sent events (HTML Living Standard, 9.2). Each has an id, so a client that reconnects can say where it
  // stopped.
  tail: {
    type: 'text/event-stream; charset=utf-8',
    head: 'retry: 2000\n\n',
    page: (events, rendering) =>
      events.length === 0
        ? ': still here\n\n'
        : events.map((event) => `id: ${event.id}\ndata: ${eventText(event, rendering)}\n\n`).join(''),
  },
  ndjson: {
    type: 'application/x-ndjson; charset=utf-8',
    head: '',
    page: (events, rendering) => events.map((event) => `${eventText(event, rendering)}\n`).join(''),
  },
}
