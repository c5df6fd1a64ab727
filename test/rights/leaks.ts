import type { Answered, Cell } from './cells.ts'
import { isRecord, reaches, type Thing } from './expected.ts'
import { marks } from './makers.ts'
import type { Caller } from './people.ts'
import type { Scene } from './scene.ts'

/** What in an answer belongs to a record that its reader may not see; what he himself sent is not told to him. */
export function leaksIn(scene: Scene, { caller, declared }: Cell, answer: Answered): string[] {
  const found = new Set<Thing>()
  const see = (thing: Thing | undefined) => {
    if (thing && !maySee(caller, thing)) found.add(thing)
  }
  const told = toldBy(answer)
  for (const [, mark] of told.matchAll(marks.text)) see(scene.marked.get(Number(mark)))
  for (const [, mark] of told.matchAll(marks.price)) see(scene.marked.get(Number(mark)))
  if (declared.shows !== 'tags')
    for (const [, mark] of told.matchAll(marks.tag)) see(scene.marked.get(Number(mark)))
  for (const [id] of told.matchAll(marks.id))
    if (answer.status < 300 || !answer.sent.includes(id)) see(scene.byId.get(id))
  return [...found].map(({ kind, state, id }) => `${kind} ${id} (${state})`)
}

/** The answer without the addresses of pages, which repeat the query. */
const PAGES = /"_links":\{"self":\{"href":"[^"]*"\}(,"(prev|next)":\{"href":"[^"]*"\})*\}/g
const toldBy = ({ text }: Answered): string => text.replaceAll(PAGES, '')

/** What is wrong with an answer that is not refused: it shows the record that was asked for, if it may be seen. */
export function missesIn({ method, path, caller, place, thing }: Cell, answer: Answered): string[] {
  if (method !== 'GET' || !place || !thing || !isRecord(place.of) || answer.status >= 300) return []
  const isFilter = place.at === 'filter' && !path.endsWith('/links')
  if ((!isFilter && place.at !== 'path') || place.trashed) return []
  if (path.endsWith('/links') || path.endsWith('/audiences') || path.endsWith('/transactions')) return []
  const isShown = toldBy(answer).includes(String(thing.id))
  const isToBe =
    thing.kind === place.of &&
    !thing.is_deleted &&
    maySee(caller, thing) &&
    (thing.kind !== 'catalog_elements' || thing.state === 'Mona’s' || !isFilter)
  return isShown === isToBe ? [] : [isToBe ? 'does not show it' : 'shows it']
}

const maySee = (caller: Caller, thing: Thing): boolean => !caller.refused && reaches(caller, 'view', thing)
