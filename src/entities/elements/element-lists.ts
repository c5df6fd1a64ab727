import { type Actor, actingIntegration } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { CatalogRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { inParts } from '../../fair-turns.ts'
import { type Access, canSeeList, insufficientRights, seesAll } from '../records/access.ts'
import type { LinkRequest } from '../records/link-request.ts'
import { notFound } from '../records/records.ts'
import {
  discardElements,
  findCatalogs,
  findSharedElements,
  lockCatalogShared,
  lockElementsOf,
} from './catalog-queries.ts'

/**
 * Returns the list whose elements are written, locked against deletion until the transaction ends. R6: an actor who
 * cannot see every list gets the same refusal for an unknown list and a hidden one.
 */
export async function lockListShared(tx: Tx, access: Access, catalog_id: number): Promise<CatalogRow> {
  const list = await lockCatalogShared(tx, access.actor.account_id, catalog_id)
  if (list && canSeeList(access, catalog_id)) return list
  throw list || !seesAll(access, 'catalog_elements') ? insufficientRights() : notFound()
}

/** Some lists are filled only by a service; as on the platform, this applies to people and not to the API. */
export function requireOpenToPeople({ can_add_elements }: CatalogRow, { actor }: Access): void {
  if (can_add_elements === 0 && actor.integration === null)
    throw new Refusal('forbidden', 'Elements can be added to this list only through the API.', {
      code: 'list_of_service',
    })
}

/** Kinds of which an element can have only one record unless its list has `can_link_multiple`, as on the platform. */
const exclusive: readonly string[] = ['leads', 'customers']

/** Refuses links that give an element a second lead or customer if its list does not allow this. */
export async function refuseShared(
  tx: Tx,
  account_id: number,
  linkRequests: readonly LinkRequest[],
): Promise<void> {
  const made = linkRequests.flatMap((linkRequest) => {
    const [element, other] =
      linkRequest.to.entity_type === 'catalog_elements'
        ? [linkRequest.to, linkRequest.from]
        : [linkRequest.from, linkRequest.to]
    const isExclusive = element.entity_type === 'catalog_elements' && exclusive.includes(other.entity_type)
    return isExclusive ? [{ element, linkRequest }] : []
  })
  if (made.length === 0) return
  const lists = await findCatalogs(tx, { account_id })
  const closed = new Set(lists.flatMap(({ id, can_link_multiple }) => (can_link_multiple === 0 ? [id] : [])))
  const exclusiveLinks = made.filter(({ element }) => closed.has(element.catalog_id ?? 0))
  if (exclusiveLinks.length === 0) return
  const shared = new Set(
    await findSharedElements(tx, account_id, [...new Set(exclusiveLinks.map(({ element }) => element.id))]),
  )
  const faults = exclusiveLinks
    .filter(({ element }) => shared.has(element.id))
    .map(({ linkRequest: { request_id = '0', path = 'to_entity_id' } }) => ({
      request_id,
      code: 'NotUnique' as const,
      path,
      detail: 'An element of this list can be linked to only one lead or customer.',
    }))
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
}

/** Elements of one statement: others are answered between two of them. */
const DISCARDED_AT_ONCE = 250

/**
 * Moves every element of a list permanently to the trash, and returns their ids. The caller deletes the values. No
 * unlink events are recorded, as for any record in the trash.
 */
export async function discardElementsOf(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  catalog_id: number,
): Promise<number[]> {
  const ids = await lockElementsOf(tx, actor.account_id, catalog_id)
  const by = {
    updated_by: actor.user_id,
    updated_by_integration: actingIntegration(actor),
    updated_at: ctx.now(),
  }
  for (const some of inParts(ids, DISCARDED_AT_ONCE)) await discardElements(tx, actor.account_id, some, by)
  return ids
}
