import { invalid } from '../../errors.ts'
import { listIn, numberIn } from '../members.ts'
import { MAX_ITEMS } from '../requests.ts'

/** The uids that a request names. */
export function uidsIn(name: string, value: unknown): string[] {
  const uids = listIn(value)
  if (uids.length === 0) throw invalid(name, 'FieldMissing', 'This list should contain at least one uid.')
  if (uids.length > MAX_ITEMS)
    throw invalid(name, 'TooMany', `A request names at most ${MAX_ITEMS} incoming leads.`)
  if (!uids.every((uid) => typeof uid === 'string'))
    throw invalid(name, 'InvalidType', 'Each uid should be of type string.')
  return uids
}

/** An id, also as a text. Nothing and 0 name nobody. */
export function optionalIdIn(name: string, value: unknown): number | undefined {
  const id = value === '' || value === null ? undefined : numberIn(value)
  if (id === undefined || (Number.isSafeInteger(id) && (id as number) >= 0)) return id as number | undefined
  throw invalid(name, 'InvalidType', 'This value should be an id.')
}
