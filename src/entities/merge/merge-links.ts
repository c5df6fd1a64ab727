import type { EntityRow, LinkRow } from '../../db/tables.ts'
import type { LinkChanges } from '../links/links.ts'
import { MAIN_CONTACT, ONE_COMPANY } from '../records/link-types.ts'

/** Kinds for which existing links of the survivor take precedence: its company and its main contact stay. */
export const decidingKinds = (entity_type: string): string[] => [
  ...(ONE_COMPANY.includes(entity_type) ? ['companies'] : []),
  ...(MAIN_CONTACT.includes(entity_type) ? ['contacts'] : []),
]

/**
 * Plans the links of a merge: links of the merged records end, and the survivor gets those that it lacks. `links`
 * are theirs, in the order of the merged records; `own` are the survivor's links to the kinds of decidingKinds and
 * to the same records. Links to deleted records stay unchanged.
 */
export function movedLinks(
  survivor: EntityRow,
  links: readonly LinkRow[],
  own: readonly LinkRow[],
  rows: ReadonlyMap<number, EntityRow>,
): LinkChanges {
  const changes: LinkChanges = { add: [], remove: [] }
  const linked = new Set(own.map(({ to_entity_id }) => to_entity_id))
  const kinds = new Set(own.map(({ to_entity_type }) => to_entity_type))
  const isFree = ({ to_entity_type }: LinkRow) =>
    !(to_entity_type === 'companies' && ONE_COMPANY.includes(survivor.entity_type) && kinds.has('companies'))
  // The main contact is kept only if the survivor had no contacts.
  let needsMain = MAIN_CONTACT.includes(survivor.entity_type) && !kinds.has('contacts')
  for (const link of links) {
    const to = rows.get(link.to_entity_id)
    if (!to) continue
    changes.remove.push({ from: rows.get(link.entity_id) as EntityRow, to })
    // If a merged contact was the main one, the survivor becomes it.
    const isMain =
      link.is_main === 1 &&
      (survivor.entity_type === 'contacts' || (needsMain && link.to_entity_type === 'contacts'))
    if (linked.has(to.id) ? !isMain : !isFree(link)) continue
    if (isMain && survivor.entity_type !== 'contacts') needsMain = false
    changes.add.push({
      from: survivor,
      to,
      is_main: isMain || undefined,
      quantity: link.quantity ?? undefined,
      price_id: link.price_id,
    })
    linked.add(to.id)
    kinds.add(link.to_entity_type)
  }
  return changes
}
