import type { Tx } from '../../db/database.ts'
import { nextIds } from '../../db/dialect.ts'
import type { TagRow } from '../../db/tables.ts'
import { type AddFault, noSuch } from '../../errors.ts'
import type { RecordDraft, TagReference } from '../records/draft-schemas.ts'
import type { EntityType } from '../records/entity-types.ts'
import type { WorkingCopy } from '../records/working-copy.ts'
import { findTags, insertTags } from './tag-queries.ts'

/** The most tags of a record: every answer with it has all of them. A merge can combine more (R28). */
const MOST_TAGS = 500

/** Tags are identified by their trimmed name. */
export const tagName = (name: string): string => name.trim()

/** Only the tags of leads have colours. The colour of another tag is an unknown member: no schema checks it. */
export const haveColors = (type: string): boolean => type === 'leads'

/** Tags of an account, as drafts refer to them. */
export interface KnownTags {
  byId: Map<number, TagRow>
  byName: Map<string, TagRow>
}

/** The tags of the drafts, by id and by name. Missing ones that are needed are created. */
export async function resolveTags(
  tx: Tx,
  account_id: number,
  type: EntityType,
  drafts: readonly RecordDraft[],
): Promise<KnownTags> {
  const carried = drafts.flatMap((draft) => [...(draft._embedded?.tags ?? []), ...(draft.tags_to_add ?? [])])
  const dropped = drafts.flatMap((draft) => draft.tags_to_delete ?? [])
  const all = [...carried, ...dropped]
  if (all.length === 0) return { byId: new Map(), byName: new Map() }
  const found = await findTags(tx, account_id, type, {
    ids: all.flatMap(({ id }) => id ?? []),
    names: namesIn(all),
  })
  const known = new Set(found.map(({ name }) => name))
  const missing = namesIn(carried).filter((name) => !known.has(name))
  const made = await makeTags(
    tx,
    account_id,
    type,
    missing.map((name) => ({ name, color: null })),
  )
  const tags = [...found, ...made]
  return {
    byId: new Map(tags.map((tag) => [tag.id, tag])),
    byName: new Map(tags.map((tag) => [tag.name, tag])),
  }
}

/** Creates tags, and returns concurrently created ones of the same names instead. */
export async function makeTags(
  tx: Tx,
  account_id: number,
  entity_type: string,
  drafts: { name: string; color: string | null }[],
): Promise<TagRow[]> {
  if (drafts.length === 0) return []
  const ids = await nextIds(tx, 'tags', drafts.length)
  const rows = drafts.map((draft, i) => ({ account_id, entity_type, id: ids[i] as number, ...draft }))
  // Sorted, so that concurrent writers of the same tags wait for each other in one order.
  await insertTags(
    tx,
    rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  )
  return findTags(tx, account_id, entity_type, { ids: [], names: drafts.map(({ name }) => name) })
}

/** Applies a draft's tags to the copy: `_embedded.tags` replaces all of them, null clears them. */
export function applyTags(
  copy: WorkingCopy,
  draft: RecordDraft,
  { tags }: { tags: KnownTags },
  addFault: AddFault,
): void {
  const ids = (list: TagReference[] | null | undefined, path: string): number[] =>
    (list ?? []).flatMap((reference, i) => {
      const tag = reference.id === undefined ? byName(reference, tags) : tags.byId.get(reference.id)
      if (!tag && !path.startsWith('tags_to_delete'))
        addFault('NotSupportedChoice', `${path}.${i}`, noSuch('tag'))
      return tag ? [tag.id] : []
    })
  const before = copy.tags.size
  const replacing = draft._embedded?.tags
  if (replacing !== undefined) copy.tags = new Set(ids(replacing, '_embedded.tags'))
  for (const id of ids(draft.tags_to_add, 'tags_to_add')) copy.tags.add(id)
  for (const id of ids(draft.tags_to_delete, 'tags_to_delete')) copy.tags.delete(id)
  if (copy.tags.size > Math.max(before, MOST_TAGS))
    addFault('TooMany', 'tags_to_add', `A record can have at most ${MOST_TAGS} tags.`)
}

const byName = ({ name }: TagReference, { byName: tags }: KnownTags): TagRow | undefined =>
  name === undefined ? undefined : tags.get(tagName(name))

const namesIn = (references: TagReference[]): string[] => [
  ...new Set(
    references.flatMap(({ id, name }) => {
      const trimmed = id === undefined && name !== undefined ? tagName(name) : ''
      return trimmed === '' ? [] : [trimmed]
    }),
  ),
]
