import type { Answered, Cell } from './cells.ts'
import { isNote, isRecord, reaches, type Thing } from './expected.ts'
import { marks } from './makers.ts'
import type { Caller } from './people.ts'
import type { Scene } from './scene.ts'

/** What in an answer belongs to a record that its reader may not see; what he himself sent is not told to him. */
export function leaksIn(scene: Scene, { caller, declared }: Cell, answer: Answered): string[] {
  const found = new Set<Thing>()
  const see = (thing: Thing | undefined) => {
    if (thing && !maySee(caller, thing)) found.add(thing)
  }
  const passed = passedBy[declared.shows ?? '']
  const told = passed ? toldBy(answer).replaceAll(passed, '') : toldBy(answer)
  const { text, price, phone, tag } = marks
  for (const form of declared.shows === 'tags' ? [text, price, phone] : [text, price, phone, tag])
    for (const [, mark] of told.matchAll(form)) see(scene.marked.get(Number(mark)))
  for (const [id] of told.matchAll(marks.id))
    if (answer.status < 300 || !answer.sent.includes(id)) see(scene.byId.get(id))
  return [...found].map(({ kind, state, id }) => `${kind} ${id} (${state})`)
}

/** The answer without the addresses of pages, which repeat the query. */
const PAGES = /"_links":\{"self":\{"href":"[^"]*"\}(,"(first|prev|next)":\{"href":"[^"]*"\})*\}/g
/** What was linked to a record, in an event and in a note; of a message the ids that go with it (E5). */
const LINKED =
  /"(?:un)?link":\{"entity":\{"type":"\w+","id":\d+\}\}|"contacts":\[[\d,]*\]|"linked_talk_contact_id":\d+|"message":\{[^{}]*\}/g
/** A chat names its contact and its lead by their ids. */
const ENDS = /"(?:contact|lead)_id":\d+/g
const passedBy: Record<string, RegExp> = { links: LINKED, 'ends of chats': ENDS }
const toldBy = ({ text }: Answered): string => text.replaceAll(PAGES, '')

/** What is wrong with an answer that is not refused: it shows the record that was asked for, if it may be seen. */
export function missesIn({ method, path, caller, place, thing }: Cell, answer: Answered): string[] {
  if (method !== 'GET' || !place || !thing || !isRecord(place.of) || answer.status >= 300) return []
  const isFilter = place.at === 'filter' && !path.endsWith('/links')
  if ((!isFilter && place.at !== 'path') || place.trashed) return []
  if (/\/(?:links|audiences|transactions|files|attempts)$/.test(path)) return []
  const isShown = toldBy(answer).includes(String(thing.id))
  const isToBe =
    thing.kind === place.of &&
    (!thing.is_deleted || (isHistory(path) && !isNote(place.of))) &&
    maySee(caller, thing) &&
    (thing.kind !== 'catalog_elements' || thing.state === 'Mona’s' || !isFilter || isHistory(path))
  return isShown === isToBe ? [] : [isToBe ? 'does not show it' : 'shows it']
}

/** What happened to a record, and what was noted on it, stays told when it lies in the trash. */
const isHistory = (path: string): boolean => /^\/events$|\/notes$/.test(path)

const maySee = (caller: Caller, thing: Thing): boolean => !caller.refused && reaches(caller, 'view', thing)
