import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { moveToTrash, type RecordHooks, unlinkRecords } from '../../entities/entities.ts'
import type { EntityType } from '../../entities/records/entity-types.ts'
import { invalid } from '../../errors.ts'
import { type Item, listIn, numberIn } from '../members.ts'
import type { RecordKind } from '../record-drafts.ts'
import { asOne, type Batch, inBatch, MAX_ITEMS } from '../requests.ts'
import { type SetRecords, setRecords } from '../set-records.ts'

/**
 * Adds and changes records, takes the links in `unlink` of changed ones away, and moves records to the trash, all of them
 * or none.
 */
export function setV2Records(
  ctx: Context,
  actor: Actor,
  kind: RecordKind,
  { gone, ...batches }: { add: Batch; update: Batch; gone: readonly number[] },
  hooks: Pick<RecordHooks, 'written'>,
): Promise<SetRecords> {
  return asOne(async () => {
    const add = withTagIds(batches.add)
    const update = withTagIds(batches.update)
    const done = await setRecords(ctx, actor, kind, { add, update }, hooks)
    const unlinked = done.update.flatMap(({ id }, i) =>
      linksIn(batches.update.items[i] as Item, i).map((link) => ({ entity_id: id, request_id: i, ...link })),
    )
    if (unlinked.length > MAX_ITEMS)
      throw invalid('update', 'TooMany', `A request takes at most ${MAX_ITEMS} links away.`)
    if (unlinked.length > 0)
      await inBatch(batches.update, () => unlinkRecords(ctx, actor, { type: kind }, unlinked, 'item'))
    const named = gone.map((id, i) => ({ id, request_id: i }))
    if (named.length > 0) await inBatch(DELETED, () => moveToTrash(ctx, actor, kind, named, 'item'))
    return done
  })
}

/** The ids in `delete`. */
export const DELETED: Batch = { at: 'delete', items: [] }

/** A number among tags is the id of a tag. In the first API it is a name. */
const withTagIds = ({ at, items }: Batch): Batch => ({
  at,
  items: items.map((item) => ({
    ...item,
    ...(Array.isArray(item.tags) && {
      tags: item.tags.map((tag) => (typeof tag === 'number' ? { id: tag } : tag)),
    }),
  })),
})

const members: Record<string, EntityType> = {
  contacts_id: 'contacts',
  company_id: 'companies',
  leads_id: 'leads',
  customers_id: 'customers',
}

/** The records and elements that `unlink` of an item names. */
const linksIn = ({ unlink }: Item, i: number) => {
  const named = Object(unlink) as Item
  const records = Object.entries(members).flatMap(([name, to_entity_type]) =>
    listIn(named[name]).map((id) => ({ to_entity_id: idOf(id, i, name), to_entity_type })),
  )
  const name = 'catalog_elements_id'
  const elements = Object.entries(Object(named[name])).flatMap(([list, ids]) =>
    elementsIn(ids).map((id) => ({
      ...{ to_entity_id: idOf(id, i, name), to_entity_type: 'catalog_elements' },
      catalog_id: idOf(list, i, name),
    })),
  )
  return [...records, ...elements]
}

/** Elements of a list: with quantities as they are added, `{"7":2}`, or their ids alone. */
const elementsIn = (written: unknown): unknown[] =>
  typeof written === 'object' && !Array.isArray(written) ? Object.keys(Object(written)) : listIn(written)

function idOf(value: unknown, i: number, name: string): number {
  const id = numberIn(value)
  if (Number.isSafeInteger(id) && (id as number) > 0) return id as number
  throw invalid(`update.${i}.unlink.${name}`, 'InvalidType', 'This value should be an id.')
}
