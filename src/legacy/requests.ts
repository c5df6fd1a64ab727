import { type Static, type TSchema, Type } from 'typebox'
import { Unit } from '../db/units.ts'
import { type Fault, Refusal } from '../errors.ts'
import { faultsIn } from '../http/bodies/validation.ts'
import type { Item } from './members.ts'
import { writtenPath } from './written-paths.ts'

/** The items of one action, and their path in the request. */
export interface Batch {
  at: string
  items: readonly Item[]
}

/** The most items in one action, as in a batch of v4. */
export const MAX_ITEMS = 250

const WithId = Type.Object({ id: Type.Integer({ minimum: 1 }) })

/** The schema of a patch that names its record. */
export const withId = <Patch extends TSchema>(patch: Patch) => Type.Intersect([patch, WithId])

/**
 * The drafts with the type of the schema. Throws the faults of those that do not have it; the path names the item in the
 * request. A schema is compiled and kept at its first use, so it must be a constant.
 */
export function validated<Schema extends TSchema>(
  schema: Schema,
  drafts: readonly object[],
  batch: Batch,
): Static<Schema>[] {
  refuse(
    drafts.flatMap((draft, i) => faultsIn(schema, draft, String(i), '')).map((fault) => placed(fault, batch)),
  )
  return drafts as Static<Schema>[]
}

/** Does the work of one action. The faults of a rule, which are those of numbered items, get their path in the request. */
export async function inBatch<T>(batch: Batch, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal && error.faults.length > 0)
      refuse(error.faults.map((fault) => placed(fault, batch)))
    throw error
  }
}

/** A fault with its path in the request, in the names that the client wrote. */
function placed(fault: Fault, { at, items }: Batch): Fault {
  const item = items[Number(fault.request_id)] ?? {}
  const path = [at, fault.request_id, writtenPath(item, fault.path)].filter((part) => part !== '').join('.')
  return { ...fault, path }
}

/** Does several transactions as one: all of them are committed, or none. */
export async function asOne<T>(work: () => Promise<T>): Promise<T> {
  const unit = new Unit(async () => {})
  try {
    const done = await unit.run(work)
    await unit.commit()
    return done
  } catch (error) {
    await unit.rollback()
    throw error
  }
}

function refuse(faults: Fault[]): void {
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
}

/** `request_id` of an added item as it was sent, otherwise its position. */
export const requestIdOf = ({ request_id }: Item, i: number): string | number =>
  typeof request_id === 'string' || typeof request_id === 'number' ? request_id : i
