import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { csvLine, type Delimiter, delimiters } from '../http/bodies/csv.ts'
import type { FileForm } from '../http/bodies/forms.ts'
import { eventText, integrationOf, nameOf, type Rendering } from './event-text.ts'
import { eventTypeOf } from './event-types.ts'
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
  head(withIntegrations: boolean, delimiter: Delimiter): string
  page(events: readonly ShownEvent[], rendering: Rendering, delimiter: Delimiter): string
}

// biome-ignore format: a list
const columns = ['id', 'type', 'entity_type', 'entity_id', 'entity_name', 'created_by', 'created_at', 'value_after', 'value_before']
const actingColumns = ['integration_id', 'integration_name']

export type StreamForm = 'tail' | FileForm

export const writings: Record<StreamForm, Writing> = {
  // Server-sent events (HTML Living Standard, 9.2). Each has an id, so a client that reconnects can say where it
  // stopped.
  tail: {
    type: 'text/event-stream; charset=utf-8',
    head: () => 'retry: 2000\n\n',
    page: (events, rendering) =>
      events.length === 0
        ? ': still here\n\n'
        : events.map((event) => `id: ${event.id}\ndata: ${eventText(event, rendering)}\n\n`).join(''),
  },
  ndjson: {
    type: 'application/x-ndjson; charset=utf-8',
    head: () => '',
    page: (events, rendering) => events.map((event) => `${eventText(event, rendering)}\n`).join(''),
  },
  // RFC 4180, with a header line.
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    head: (withIntegrations, delimiter) =>
      `${[...columns, ...(withIntegrations ? actingColumns : [])].join(delimiters[delimiter])}\r\n`,
    page: (events, rendering, delimiter) =>
      events.map((event) => lineOf(event, rendering, delimiter)).join(''),
  },
}

function lineOf(event: ShownEvent, { names, integrations }: Rendering, delimiter: Delimiter): string {
  const { id, entity_type, entity_id, created_by, created_at, value_after, value_before } = event
  const name = nameOf(event, names) ?? ''
  const cells = [id, eventTypeOf(event.type) ?? '', entity_type, entity_id, name, created_by, created_at]
  const integration = integrationOf(event, integrations)
  const acting = integrations ? [integration?.id ?? '', integration?.name ?? ''] : []
  return csvLine([...cells, value_after, value_before, ...acting], delimiter)
}
