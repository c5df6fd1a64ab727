import type { EntityRow, LinkRow } from '../db/tables.ts'
import { type LinkChanges, MAIN_CONTACT, ONE_COMPANY } from './links.ts'

/** The kinds of which a survivor's own links decide about those that come: its company stays, and its main contact. */
export const decidingKinds = (entity_type: string): string[] => [
  ...(ONE_COMPANY.includes(entity_type) ? ['companies'] : []),
  ...(MAIN_CONTACT.includes(entity_type) ? ['contacts'] : []),
]

/**
 * What a merge does to links: those of the merged records end, and the survivor is given what it has not. `links` are
 * theirs, in the order in which the records were named; `own` those of the survivor that decidingKinds names and that
 * lead to the same ends. Ends that do not exist any more stay as they are.
 */
export function movedLinks(
  survivor: EntityRow,
  links: readonly LinkRow[],
  own: readonly LinkRow[],
  rows: ReadonlyMap<number, EntityRow>,
): LinkChanges {
  const changes: LinkChanges = { add: [], remove: [] }
  const held = new Set(own.map(({ to_entity_id }) => to_entity_id))
  const kinds = new Set(own.map(({ to_entity_type }) => to_entity_type))
  const isFree = ({ to_entity_type }: LinkRow) =>
    !(to_entity_type === 'companies' && ONE_COMPANY.includes(survivor.entity_type) && kinds.has('companies'))
  // The main contact comes along only where the survivor had no contact of its own.
  let needsMain = MAIN_CONTACT.includes(survivor.entity_type) && !kinds.has('contacts')
  for (const link of links) {
    const to = rows.get(link.to_entity_id)
    if (!to) continue
    changes.remove.push({ from: rows.get(link.entity_id) as EntityRow, to })
    // Where a merged contact was the main one, the survivor is.
    const isMain =
      link.is_main === 1 &&
      (survivor.entity_type === 'contacts' || (needsMain && link.to_entity_type === 'contacts'))
    if (held.has(to.id) ? !isMain : !isFree(link)) continue
    if (isMain && survivor.entity_type !== 'contacts') needsMain = false
    changes.add.push({
      from: survivor,
      to,
      is_main: isMain || undefined,
      quantity: link.quantity ?? undefined,
      price_id: link.price_id,
    })
    held.add(to.id)
    kinds.add(link.to_entity_type)
  }
  return changes
}
