import { isDeepStrictEqual } from 'node:util'
import { type Actor, auditAs, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import type { TagRow } from '../../db/tables.ts'
import { collectFaults, invalid, noSuch, Refusal } from '../../errors.ts'
import { nameOfItem } from '../../http/bodies/validation.ts'
import type { CardType } from '../records/entity-types.ts'
import { eraseTag } from './tag-erasures.ts'
import { deleteTag, findTags, lockTags, replaceTags } from './tag-queries.ts'
import { haveColors, tagName } from './tags.ts'

/** The changes of one tag of a batch. */
export interface TagPatch {
  id: number
  request_id?: string | number | undefined
  name?: string | undefined
  color?: string | null | undefined
}

/** A tag, or Refusal('not_found'). Tags belong to the account and are visible to all members. */
export async function readTag(ctx: Context, actor: Actor, type: CardType, id: number): Promise<TagRow> {
  const [tag] = await findTags(ctx.db, actor.account_id, type, { ids: [id], names: [] })
  if (!tag) throw notFound()
  return tag
}

/**
 * Renames and colours tags, all of them or none, for administrators. Every record that has a tag shows the change.
 * `place` says whether the id is in the address or in an item.
 */
export async function changeTags(
  ctx: Context,
  actor: Actor,
  type: CardType,
  patches: readonly TagPatch[],
  place: 'path' | 'item',
): Promise<TagRow[]> {
  requireAdmin(actor)
  const change = async (tx: Tx): Promise<TagRow[]> => {
    const before = await lockTags(
      tx,
      actor.account_id,
      type,
      patches.map(({ id }) => id),
    )
    if (place === 'path' && before.size === 0) throw notFound()
    const after = patched(patches, before)
    await requireFreeNames(tx, actor.account_id, type, patches, after)
    const changed = [...after.values()].filter((tag) => !isDeepStrictEqual(tag, before.get(tag.id)))
    if (changed.length > 0) {
      await replaceTags(tx, changed)
      const details = changed.map(({ id, name }) => ({ entity_type: type, id, name }))
      await auditAs(ctx, tx, actor, 'tag.changed', ...details)
    }
    return patches.map(({ id }) => after.get(id) as TagRow)
  }
  try {
    return await ctx.db.transaction().execute(change)
  } catch (error) {
    // Somebody else has just added a tag with the name, or two tags of the batch exchange their names.
    if (isUniqueViolation(error)) throw invalid('name', 'NotUnique', TAKEN, nameOfItem(patches[0], 0))
    throw error
  }
}

const TAKEN = 'Another tag has this name.'

/** Applies the patches in their order (V5). */
function patched(patches: readonly TagPatch[], before: ReadonlyMap<number, TagRow>): Map<number, TagRow> {
  const { about, refuse } = collectFaults()
  const after = new Map<number, TagRow>()
  for (const [i, patch] of patches.entries()) {
    const { id, name, color } = patch
    const tag = after.get(id) ?? before.get(id)
    const addFault = about(nameOfItem(patch, i))
    if (!tag) {
      addFault('NotSupportedChoice', 'id', noSuch('tag'))
      continue
    }
    const named = name === undefined ? tag.name : tagName(name)
    if (named === '') addFault('NotBlank', 'name', 'This value should not be blank.')
    const hasNewColor = haveColors(tag.entity_type) && color !== undefined
    after.set(id, { ...tag, name: named, ...(hasNewColor && { color }) })
  }
  refuse()
  return after
}

/** A name identifies a tag of a kind, so two tags cannot have one name. */
async function requireFreeNames(
  tx: Tx,
  account_id: number,
  type: CardType,
  patches: readonly TagPatch[],
  after: ReadonlyMap<number, TagRow>,
): Promise<void> {
  const names = [...after.values()].map(({ name }) => name)
  const others = await findTags(tx, account_id, type, { ids: [], names })
  const holders = new Map(others.filter(({ id }) => !after.has(id)).map(({ id, name }) => [name, id]))
  const { about, refuse } = collectFaults()
  // The last patch of a tag gives it its name.
  const places = new Map(patches.map(({ id }, i) => [id, i]))
  for (const [id, i] of places) {
    const { name } = after.get(id) as TagRow
    if (holders.has(name)) about(nameOfItem(patches[i], i))('NotUnique', 'name', TAKEN)
    else holders.set(name, id)
  }
  refuse()
}

/**
 * Deletes a tag and takes it from all records, for administrators. The log gets no events, because a tag can be on
 * every record of the account.
 */
export async function removeTag(ctx: Context, actor: Actor, type: CardType, id: number): Promise<void> {
  requireAdmin(actor)
  await ctx.db.transaction().execute(async (tx) => {
    const tag = (await lockTags(tx, actor.account_id, type, [id])).get(id)
    if (!tag) throw notFound()
    await deleteTag(tx, tag)
    await eraseTag(tx, ctx.now(), actor.account_id, id)
    await auditAs(ctx, tx, actor, 'tag.removed', { entity_type: type, id, name: tag.name })
  })
}

const notFound = () => new Refusal('not_found', 'Tag not found in this account.')
