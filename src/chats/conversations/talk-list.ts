import type { Db } from '../../db/database.ts'
import type { TalkRow } from '../../db/tables.ts'
import { invalid, invalidChoice } from '../../errors.ts'
import { listOf, partsOf, type QueryValue } from '../../http/queries/bracket-query.ts'
import type { Page, Position } from '../../http/queries/paging.ts'
import { numberOf } from '../../http/queries/query-values.ts'
import type { ChatReader } from './chat-rights.ts'
import { seenTalks, stretchOfTalks, type TalkWalk } from './talk-queries.ts'
import { readInWindows } from './windows.ts'

const MOST_VALUES = 250

/** A page of the visible talks, newest first, and the position of the next one. */
export async function listTalks(
  db: Db,
  reader: ChatReader,
  filter: QueryValue | undefined,
  page: Page,
  after: Position | null,
): Promise<{ rows: TalkRow[]; next: Position | null }> {
  const asked = readFilter(filter)
  if (asked === null) return { rows: [], next: null }
  const walk: TalkWalk = {
    ...asked,
    account_id: reader.access.actor.account_id,
    lead_seen: reader.leadSeen('talks.lead_id'),
    among: await reader.few(),
    before: after?.id ?? null,
  }
  const stretch = { limit: page.limit + 1, offset: after === null ? page.offset : 0 }
  const found = await readTalks(db, walk, reader, stretch)
  const rows = found.slice(0, page.limit)
  const last = rows.at(-1)
  return { rows, next: found.length > page.limit && last ? { value: last.id, id: last.id } : null }
}

async function readTalks(
  db: Db,
  walk: TalkWalk,
  { seen }: ChatReader,
  page: { limit: number; offset: number },
): Promise<TalkRow[]> {
  if (seen === null) return (await stretchOfTalks(db, walk, page).execute(db)).rows
  return readInWindows(walk, page, {
    read: async (at, window, limit) => (await seenTalks(db, at, seen, window, limit).execute(db)).rows,
    async after(at, window) {
      const [end] = (await stretchOfTalks(db, at, { limit: 1, offset: window - 1 }).execute(db)).rows
      return end && { ...at, before: end.id }
    },
  })
}

type Asked = Pick<TalkWalk, 'ids' | 'contact_ids' | 'lead_ids' | 'is_open'>

/** Null if nothing can match: talks are about leads, never about customers. */
function readFilter(filter: QueryValue | undefined): Asked | null {
  const parts = partsOf(filter)
  const kind = parts.entity_type
  if (kind !== undefined && kind !== 'lead' && kind !== 'customer')
    throw invalidChoice('filter.entity_type', ['lead', 'customer'])
  const lead_ids = idsOf('entity_id', parts.entity_id)
  if (lead_ids && kind === 'customer') return null
  return {
    ids: idsOf('talk_id', parts.talk_id),
    contact_ids: idsOf('contact_id', parts.contact_id),
    lead_ids,
    // Any value, as on the platform.
    is_open: parts.only_in_work !== undefined,
  }
}

function idsOf(name: string, value: QueryValue | undefined): number[] | null {
  const values = listOf(value)
  if (values.length > MOST_VALUES)
    throw invalid(`filter.${name}`, 'TooMany', `This filter accepts at most ${MOST_VALUES} values.`)
  return values.length > 0 ? values.map((text) => numberOf(`filter.${name}`, text)) : null
}
