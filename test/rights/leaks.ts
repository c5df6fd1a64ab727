import type { Answered, Cell } from './cells.ts'
import { isNote, isRecord, type Resource, reaches } from './expected.ts'
import { marks } from './makers.ts'
import type { Caller } from './people.ts'
import type { Scene } from './scene.ts'

/** The parts of an answer that belong to a hidden record, except for what the caller has sent. */
export function leaksIn(scene: Scene, { caller, declared }: Cell, answer: Answered): string[] {
  const found = new Set<Resource>()
  const see = (resource: Resource | undefined) => {
    if (resource && !canSee(caller, resource)) found.add(resource)
  }
  const passed = passedBy[declared.shows ?? '']
  const content = passed ? contentOf(answer).replaceAll(passed, '') : contentOf(answer)
  const { text, price, phone, tag } = marks
  for (const form of declared.shows === 'tags' ? [text, price, phone] : [text, price, phone, tag])
    for (const [, mark] of content.matchAll(form)) see(scene.marked.get(Number(mark)))
  for (const [id] of content.matchAll(marks.id))
    if (answer.status < 300 || !answer.sent.includes(id)) see(scene.byId.get(id))
  return [...found].map(({ kind, state, id }) => `${kind} ${id} (${state})`)
}

/** The links of pages, which repeat the query. */
const PAGES = /"_links":\{"self":\{"href":"[^"]*"\}(,"(first|prev|next)":\{"href":"[^"]*"\})*\}/g
/** Linked records in an event or note, and the ids that accompany a message (E5). */
const LINKED =
  /"(?:un)?link":\{"entity":\{"type":"\w+","id":\d+\}\}|"contacts":\[[\d,]*\]|"linked_talk_contact_id":\d+|"message":\{[^{}]*\}/g
/** A chat contains the ids of its contact and lead. */
const ENDS = /"(?:contact|lead)_id":\d+/g
const passedBy: Record<string, RegExp> = { links: LINKED, 'ends of chats': ENDS }
const contentOf = ({ text }: Answered): string => text.replaceAll(PAGES, '')

/** The faults of a successful answer: it must contain the requested record if that is visible. */
export function missesIn({ method, path, caller, place, resource }: Cell, answer: Answered): string[] {
  if (method !== 'GET' || !place || !resource || !isRecord(place.of) || answer.status >= 300) return []
  const isFilter = place.at === 'filter' && !path.endsWith('/links')
  if ((!isFilter && place.at !== 'path') || place.trashed) return []
  if (
    /\/(?:links|audiences|subscriptions|followers|transactions|files|attempts|talks\/:id\/messages)$/.test(
      path,
    )
  )
    return []
  const isShown = contentOf(answer).includes(String(resource.id))
  const isToBe =
    resource.kind === place.of &&
    (!resource.is_deleted || (isHistory(path) && !isNote(place.of))) &&
    canSee(caller, resource) &&
    (resource.kind !== 'catalog_elements' || resource.state === 'Mona’s' || !isFilter || isHistory(path))
  return isShown === isToBe ? [] : [isToBe ? 'does not show it' : 'shows it']
}

/** Events and notes of a record stay visible if it is in the trash. */
const isHistory = (path: string): boolean => /^\/events$|\/notes$/.test(path)

const canSee = (caller: Caller, resource: Resource): boolean =>
  !caller.refused && reaches(caller, 'view', resource)
