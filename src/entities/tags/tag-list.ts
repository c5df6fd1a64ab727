import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { TagRow } from '../../db/tables.ts'
import { type Fault, Refusal } from '../../errors.ts'
import type { Page } from '../../http/queries/paging.ts'
import { loadAccess, requireCanAdd } from '../records/access.ts'
import type { CardType } from '../records/entity-types.ts'
import { findTags, listTagRows } from './tag-queries.ts'
import { haveColors, makeTags, tagName } from './tags.ts'

type Tag = Pick<TagRow, 'id' | 'name' | 'color'>

/** Lists a page of the tags of a kind. Tags belong to the account and are visible to all members. */
export async function listTags(
  ctx: Context,
  actor: Actor,
  type: CardType,
  asked: { ids: number[]; names: string[]; query: string; page: Page },
): Promise<{ tags: Tag[]; hasNext: boolean }> {
  const { limit, offset } = asked.page
  const rows = await listTagRows(ctx.db, actor.account_id, type, { ...asked, limit: limit + 1, offset })
  return { tags: rows.slice(0, limit).map(shownTag), hasNext: rows.length > limit }
}

/** Adds tags, and returns existing tags of the same names unchanged. Requires the right to add records of the kind. */
export async function addTags(
  ctx: Context,
  actor: Actor,
  type: CardType,
  drafts: { name: string; color?: string | null; request_id?: string | number }[],
): Promise<Tag[]> {
  return ctx.db.transaction().execute(async (tx) => {
    const access = await loadAccess(tx, actor)
    requireCanAdd(access, type)
    const named = drafts.map(({ name, color = null }) => ({
      name: tagName(name),
      color: haveColors(type) ? color : null,
    }))
    refuseBlank(drafts, named)
    const names = [...new Set(named.map(({ name }) => name))]
    const found = await findTags(tx, actor.account_id, type, { ids: [], names })
    const known = new Set(found.map(({ name }) => name))
    const missing = names
      .filter((name) => !known.has(name))
      .map((name) => named.find((draft) => draft.name === name) as (typeof named)[number])
    const made = await makeTags(tx, actor.account_id, type, missing)
    const byName = new Map([...found, ...made].map((tag) => [tag.name, tag]))
    return named.map(({ name }) => shownTag(byName.get(name) as TagRow))
  })
}

function refuseBlank(drafts: { request_id?: string | number }[], named: { name: string }[]): void {
  const faults = named.flatMap(({ name }, i): Fault[] =>
    name === ''
      ? [
          {
            request_id: String(drafts[i]?.request_id ?? i),
            code: 'NotBlank',
            path: 'name',
            detail: 'This value should not be blank.',
          },
        ]
      : [],
  )
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
}

const shownTag = ({ id, name, color }: TagRow): Tag => ({ id, name, color })
