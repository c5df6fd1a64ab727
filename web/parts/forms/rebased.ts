import type { Saved } from '../../data/saved.ts'

/**
 * The input of a person on top of the stored value. Members that they did not change take the stored value, so that saving
 * does not undo the change of another person.
 */
export function rebased<Value>(value: Value, before: Value, stored: Value): Value {
  if (isSame(value, before)) return stored
  if (!isGroup(value) || !isGroup(before) || !isGroup(stored)) return value
  const names = Object.keys({ ...stored, ...value })
  return Object.fromEntries(
    names.map((name) => [name, rebased(value[name], before[name], stored[name])]),
  ) as Value
}

/** The members that a person changed. Saving only these keeps what other people stored meanwhile in the others. */
export const changedMembers = <Value extends object>(value: Value, stored: Partial<Value>): Partial<Value> =>
  Object.fromEntries(
    Object.entries(value).filter(([name, one]) => !isSame(one, stored[name as keyof Value])),
  ) as Partial<Value>

/**
 * A new item as it is, or the members of a stored one that the person changed. `before` is the draft with which the form began.
 */
export const savedOf = <Draft extends object>(
  id: number | undefined,
  draft: Draft,
  before: Draft,
): Saved<Draft> => (id === undefined ? draft : { id, ...changedMembers(draft, before) })

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
