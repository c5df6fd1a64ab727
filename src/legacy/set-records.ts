import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { findFields, textKey } from '../custom-fields/custom-fields.ts'
import type { EntityRow } from '../db/tables.ts'
import {
  addInside,
  editInside,
  lockWritten,
  newestNamed,
  type RecordHooks,
  type RecordWrite,
  writeRecords,
} from '../entities/entities.ts'
import type { RecordDraft } from '../entities/records/draft-schemas.ts'
import type { Item } from './members.ts'
import { changedRecords, newRecords, type RecordKind } from './record-drafts.ts'
import { type Batch, inBatch, requestIdOf } from './requests.ts'

export interface SetRecords {
  add: { id: number; request_id: string | number }[]
  update: { id: number; last_modified: number }[]
}

/** Adds and changes records in one transaction, all of them or none, by the rules of v4. */
export function setRecords(
  ctx: Context,
  actor: Actor,
  kind: RecordKind,
  { add, update }: { add: Batch; update: Batch },
  { written }: Pick<RecordHooks, 'written'>,
): Promise<SetRecords> {
  return writeRecords(ctx, actor, async (write) => {
    const { tx, access } = write
    const fields = await findFields(tx, actor.account_id, kind)
    const drafts = newRecords(kind, add, fields)
    const patches = changedRecords(kind, update, fields)
    const items = [...add.items, ...update.items]
    await linkCompanies(write, kind, items, [...drafts, ...patches])
    await lockWritten(tx, access, kind, drafts, patches)
    const added = await each(add, () => addInside(write, kind, drafts, { written }))
    const changed = await each(update, () =>
      editInside(write, kind, patches, 'item', { written, reads_whole_amounts: true }),
    )
    return {
      add: added.map(({ id }, i) => ({ id, request_id: requestIdOf(add.items[i] as Item, i) })),
      update: changed.map(({ id, updated_at }) => ({ id, last_modified: updated_at })),
    }
  })
}

const each = async (batch: Batch, write: () => Promise<EntityRow[]>): Promise<EntityRow[]> =>
  batch.items.length > 0 ? inBatch(batch, write) : []

/** Links contacts to the company in `company_name`, which is added if no visible company has the name (Z3). */
async function linkCompanies(
  write: RecordWrite,
  kind: RecordKind,
  items: readonly Item[],
  drafts: RecordDraft[],
): Promise<void> {
  if (kind !== 'contacts') return
  const nameOf = (i: number): string => {
    const { company_name } = items[i] as Item
    return drafts[i]?._embedded?.companies || typeof company_name !== 'string' ? '' : company_name.trim()
  }
  // Names are compared without case, also those of one request.
  const names = new Map<string, string>()
  for (const i of drafts.keys()) if (!names.has(textKey(nameOf(i)))) names.set(textKey(nameOf(i)), nameOf(i))
  names.delete('')
  if (names.size === 0) return
  const found = await newestNamed(write.tx, write.access, 'companies', [...names.values()])
  const ids = new Map([...found].map(([name, id]) => [textKey(name), id]))
  const missing = [...names].filter(([key]) => !ids.has(key))
  if (missing.length > 0) {
    const companies = missing.map(([, name]) => ({ name }))
    const rows = await addInside(write, 'companies', companies)
    rows.forEach(({ id }, i) => {
      ids.set(missing[i]?.[0] as string, id)
    })
  }
  drafts.forEach((draft, i) => {
    const id = ids.get(textKey(nameOf(i)))
    if (id !== undefined) draft._embedded = { ...draft._embedded, companies: [{ id }] }
  })
}
