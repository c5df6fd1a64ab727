import { setImmediate } from 'node:timers/promises'
import { accountTimezone, userNames } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { csvLine, type Delimiter, delimiters } from '../http/bodies/csv.ts'
import type { FileForm } from '../http/bodies/forms.ts'
import { localTimes } from '../http/bodies/table-times.ts'
import { eventText, integrationOf, nameOf, type Rendering } from './event-text.ts'
import {
  type EventType,
  eventTypeOf,
  eventTypes,
  inLanguage,
  type Language,
  type Words,
} from './event-types.ts'
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

interface Table {
  delimiter: Delimiter
  withIntegrations: boolean
}

const type = 'text/csv; charset=utf-8; header=present'

/** The columns in their order, with their names for people. */
const columns = {
  id: ['ID', 'ID', 'ID', 'ID'],
  type: ['Event', 'Evento', 'Событие', 'Evento'],
  entity_type: ['Record type', 'Tipo de registro', 'Вид записи', 'Tipo de registro'],
  entity_id: ['Record ID', 'ID del registro', 'ID записи', 'ID do registro'],
  entity_name: ['Record', 'Registro', 'Запись', 'Registro'],
  created_by: ['Who', 'Quién', 'Кто', 'Quem'],
  created_at: ['When', 'Cuándo', 'Когда', 'Quando'],
  value_after: ['After', 'Después', 'После', 'Depois'],
  value_before: ['Before', 'Antes', 'До', 'Antes'],
  integration_id: ['Integration ID', 'ID de la integración', 'ID интеграции', 'ID da integração'],
  integration_name: ['Integration', 'Integración', 'Интеграция', 'Integração'],
} as const satisfies Record<string, Words>

const columnsOf = ({ withIntegrations }: Table) =>
  Object.entries(columns).filter(([name]) => withIntegrations || !name.startsWith('integration_'))

/** The last cells of a line, which are the same for programs and for people. */
function lastCells(event: ShownEvent, { integrations }: Rendering): string[] {
  const integration = integrationOf(event, integrations)
  const acting = integrations ? [integration?.id ?? '', integration?.name ?? ''] : []
  return [event.value_after, event.value_before, ...acting]
}

/** For programs: names and values of the API. RFC 4180, with a header line. */
export const plainCsv = (table: Table): Writing => ({
  type,
  head: `${columnsOf(table)
    .map(([name]) => name)
    .join(delimiters[table.delimiter])}\r\n`,
  page: (events, rendering) =>
    events
      .map((event) => {
        const { id, entity_type, entity_id, created_by, created_at } = event
        const name = nameOf(event, rendering.names) ?? ''
        const cells = [
          id,
          eventTypeOf(event.type) ?? '',
          entity_type,
          entity_id,
          name,
          created_by,
          created_at,
        ]
        return csvLine([...cells, ...lastCells(event, rendering)], table.delimiter)
      })
      .join(''),
})

const recordTypes: Record<string, Words> = {
  lead: ['Lead', 'Lead', 'Сделка', 'Lead'],
  contact: ['Contact', 'Contacto', 'Контакт', 'Contato'],
  company: ['Company', 'Empresa', 'Компания', 'Empresa'],
  customer: ['Customer', 'Cliente', 'Покупатель', 'Cliente'],
  task: ['Task', 'Tarea', 'Задача', 'Tarefa'],
}
const element: Words = ['List item', 'Elemento de lista', 'Элемент списка', 'Item de lista']

/** For people: names instead of codes and ids, and times in the zone of the account. */
export async function namedCsv(
  db: Db,
  account_id: number,
  language: Language,
  table: Table,
): Promise<Writing> {
  const times = localTimes(await accountTimezone(db, account_id))
  const head = columnsOf(table).map(([name, words]) => {
    const heading = inLanguage(words, language)
    return name === 'created_at' ? times.heading(heading) : heading
  })
  return {
    type,
    head: csvLine(head, table.delimiter),
    page: async (events, rendering) => {
      const people = await userNames(db, [...new Set(events.map(({ created_by }) => created_by))])
      const lines = events.map((event) => {
        const { id, entity_type, entity_id, created_by, created_at } = event
        const type = eventTypeOf(event.type) as EventType | undefined
        const cells = [
          id,
          type ? inLanguage(eventTypes[type].names, language) : '',
          inLanguage(recordTypes[entity_type] ?? element, language),
          entity_id,
          nameOf(event, rendering.names) ?? '',
          people.get(created_by) ?? '',
          times.text(created_at),
        ]
        return csvLine([...cells, ...lastCells(event, rendering)], table.delimiter)
      })
      return lines.join('')
    },
  }
}
