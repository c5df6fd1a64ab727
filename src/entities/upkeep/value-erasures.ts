import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import {
  type Erased,
  type ErasureHooks,
  eraseBatch,
  type Field,
  fieldSetOf,
  findFields,
  listDueErasures,
} from '../../custom-fields/custom-fields.ts'
import type { Tx } from '../../db/database.ts'
import { type EntityType, entityTypes } from '../records/entity-types.ts'
import { deleteWords, lockEntities } from '../records/queries.ts'
import { wordsOf } from '../records/search.ts'

/** Erases due values of deleted fields and choices; a periodic task. Yields to other work between two batches. */
export async function eraseValues(ctx: Context): Promise<void> {
  for (const erasure of await listDueErasures(ctx.db, ctx.now())) {
    const batch = () => ctx.db.transaction().execute((tx) => eraseBatch(tx, ctx.now(), erasure, hooks))
    while (await batch()) await setImmediate()
  }
}

const hooks: ErasureHooks = { lock, deleteSearchWords }

/** The record kind of the field; undefined for fields of segments, which have no records. */
const kindOf = ({ entity_type }: Field): EntityType | undefined =>
  (Object.keys(entityTypes) as EntityType[]).find((type) => entityTypes[type].fields === entity_type)

async function lock(tx: Tx, field: Field, ids: number[]): Promise<Map<number, string>> {
  const type = kindOf(field)
  const rows = type ? await lockEntities(tx, field.account_id, type, ids) : []
  return new Map(rows.map(({ id, name }) => [id, name]))
}

async function deleteSearchWords(tx: Tx, field: Field, erased: Erased[]): Promise<void> {
  const { account_id, catalog_id } = field
  const entity_type = kindOf(field)
  if (!entity_type) return
  const fields = await findFields(tx, account_id, field.entity_type, catalog_id)
  const known = fieldSetOf([...fields.list, field])
  const gone = erased.flatMap(({ entity_id, name, before, after }) => {
    const words = wordsOf(name, known, before).difference(wordsOf(name, fields, after))
    return [...words].map((word) => ({ account_id, entity_type, word, entity_id }))
  })
  await deleteWords(tx, gone)
}
