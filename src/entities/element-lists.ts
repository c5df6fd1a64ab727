import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { CatalogRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { type Access, canSeeList, insufficientRights, seesAll } from './access.ts'
import {
  discardElements,
  findCatalogs,
  findSharedElements,
  lockCatalogShared,
  lockElementsOf,
} from './catalog-queries.ts'
import type { LinkRequest } from './links.ts'
import { notFound } from './records.ts'

/**
 * The list whose elements are written, held until the transaction ends, so that nobody deletes it meanwhile. R6: to who
 * does not see every list, one that does not exist is as forbidden as one that he may not see.
 */
export async function lockListShared(tx: Tx, access: Access, catalog_id: number): Promise<CatalogRow> {
  const list = await lockCatalogShared(tx, access.actor.account_id, catalog_id)
  if (list && canSeeList(access, catalog_id)) return list
  throw list || !seesAll(access, 'catalog_elements') ? insufficientRights() : notFound()
}

/** Some lists are filled by a service alone; the platform closes them to people, not to the API. */
export function requireOpenToPeople({ can_add_elements }: CatalogRow, { actor }: Access): void {
  if (can_add_elements === 0 && actor.integration === null)
    throw new Refusal('forbidden', 'Elements of this list are added by the API only.', {
      code: 'list_of_service',
    })
}

/** Kinds of which only one may have an element of a list without `can_link_multiple`, as the platform has it. */
const exclusive: readonly string[] = ['leads', 'customers']

/** Refuses the links that gave an element a second lead or customer, where its list does not allow that. */
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
    const isAsked = element.entity_type === 'catalog_elements' && exclusive.includes(other.entity_type)
    return isAsked ? [{ element, linkRequest }] : []
  })
  if (made.length === 0) return
  const lists = await findCatalogs(tx, { account_id })
  const closed = new Set(lists.flatMap(({ id, can_link_multiple }) => (can_link_multiple === 0 ? [id] : [])))
  const asked = made.filter(({ element }) => closed.has(element.catalog_id ?? 0))
  if (asked.length === 0) return
  const shared = new Set(
    await findSharedElements(tx, account_id, [...new Set(asked.map(({ element }) => element.id))]),
  )
  const faults = asked
    .filter(({ element }) => shared.has(element.id))
    .map(({ linkRequest: { request_id = '0', path = 'to_entity_id' } }) => ({
      request_id,
      code: 'NotUnique' as const,
      path,
      detail: 'An element of this list is linked to one lead or customer at most.',
    }))
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
}

/**
 * Puts every element of a list into the trash for good: nothing leads to it any more. Values are the caller's to delete.
 * Answers the ids. The log says nothing of links that end so, as it says nothing of those of any record in the trash.
 */
export async function discardElementsOf(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  catalog_id: number,
): Promise<number[]> {
  const ids = await lockElementsOf(tx, actor.account_id, catalog_id)
  if (ids.length > 0)
    await discardElements(tx, actor.account_id, ids, { updated_by: actor.user_id, updated_at: ctx.now() })
  return ids
}
