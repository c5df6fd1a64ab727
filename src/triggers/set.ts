import { type Fault, Refusal } from '../errors.ts'
import type { Action, Members, Value } from './action.ts'

/** The members that a caller sets, unparsed: numbers can be texts, because the command line has only those. */
export type Given = Readonly<Record<string, string | number>>

/**
 * The values of all members of an action. Throws Refusal('invalid') with the possible members for one that the action does
 * not have, and for a value of another type.
 */
export function valuesOf({ members }: Action, given: Given): Record<string, Value> {
  const faults = Object.entries(given).flatMap(([name, value]): Fault[] => {
    const fault = faultOf(members, name, value)
    return fault ? [{ request_id: '0', path: `set.${name}`, ...fault }] : []
  })
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
  return Object.fromEntries(
    Object.entries(members).map(([name, standard]) => [name, valueFor(standard, given[name])]),
  )
}

function faultOf(
  members: Members,
  name: string,
  value: string | number,
): Pick<Fault, 'code' | 'detail'> | undefined {
  if (!Object.hasOwn(members, name)) {
    const names = Object.keys(members).join(', ')
    return { code: 'NotSupportedChoice', detail: `The action has no such member. It has: ${names}.` }
  }
  const standard = members[name] as Value
  if (standard === null && !isId(value))
    return { code: 'InvalidType', detail: `This value should be the id of an entity, not "${value}".` }
  if (typeof standard === 'number' && (value === '' || !Number.isFinite(Number(value))))
    return { code: 'InvalidType', detail: `This value should be a number, not "${value}".` }
  return undefined
}

const isId = (value: string | number): boolean =>
  /^[1-9]\d{0,15}$/.test(String(value)) && Number.isSafeInteger(Number(value))

function valueFor(standard: Value, given: string | number | undefined): Value {
  if (given === undefined) return standard
  return typeof standard === 'string' ? String(given) : Number(given)
}
