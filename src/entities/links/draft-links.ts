import type { EntityRow } from '../../db/tables.ts'
import { forEachFairly } from '../../fair-turns.ts'
import type { Linked, RecordDraft } from '../records/draft-schemas.ts'
import { type EntityType, entityTypes } from '../records/entity-types.ts'
import type { LinkRequest } from '../records/link-request.ts'
import type { RecordReference } from '../records/records.ts'
import type { WorkingCopy } from '../records/working-copy.ts'

type LinkList = [to: EntityType, linked: Linked[]]

const linkLists = (type: EntityType, { _embedded }: RecordDraft): LinkList[] =>
  _embedded ? entityTypes[type].links.map((to): LinkList => [to, _embedded[to] ?? []]) : []

/** The records to which the drafts of a batch are linked. */
export async function linkTargets(type: EntityType, drafts: RecordDraft[]): Promise<RecordReference[]> {
  const targets: RecordReference[] = []
  await forEachFairly(drafts, (draft, i) => {
    for (const [to, linked] of linkLists(type, draft))
      for (const [n, { id, metadata }] of linked.entries())
        targets.push({
          entity_type: to,
          id,
          request_id: String(draft.request_id ?? i),
          path: `_embedded.${to}.${n}.id`,
          ...(to === 'catalog_elements' &&
            metadata?.catalog_id !== undefined && {
              list: { id: metadata.catalog_id, path: `_embedded.${to}.${n}.metadata.catalog_id` },
            }),
        })
  })
  return targets
}

/** The links of the drafts, from their copies to the found targets. */
export async function requestedLinks(
  copies: WorkingCopy[],
  drafts: RecordDraft[],
  found: Map<number, EntityRow>,
): Promise<LinkRequest[]> {
  const linkRequests: LinkRequest[] = []
  await forEachFairly(drafts, (draft, i) => {
    const { row: from } = copies[i] as WorkingCopy
    for (const [to, linked] of linkLists(from.entity_type as EntityType, draft))
      for (const [n, { id, is_main, metadata }] of linked.entries())
        linkRequests.push({
          from,
          to: found.get(id) as EntityRow,
          is_main,
          quantity: metadata?.quantity,
          price_id: metadata?.price_id,
          request_id: String(draft.request_id ?? i),
          path: `_embedded.${to}.${n}.id`,
        })
  })
  return linkRequests
}
