import { isUtf8 } from 'node:buffer'
import { Refusal } from '../../errors.ts'

const MAX_PAIRS = 10_000

/** The members of an object or of a list under construction. `[]` writes to the place `next`. */
interface Members {
  byName: Map<string, string | Members>
  next: number
}

const noMembers = (): Members => ({ byName: new Map(), next: 0 })

/**
 * Parses a form with nested names, `request[leads][add][0][name]`, as PHP does: `[]` appends, and the last value of a
 * repeated name counts. A form contains only text. Members are a list if their names are 0, 1, 2 and so on; other
 * numbers stay names, because they can be ids. Throws Refusal('invalid') for a form that is not UTF-8, contains NUL, or
 * is deeper than `depth` or longer than an operation needs.
 */
export function parseNestedForm(bytes: Buffer, depth: number): unknown {
  const text = bytes.toString()
  if (!isUtf8(bytes) || /%00|\0/.test(text))
    throw new Refusal('invalid', 'The form is not valid UTF-8, or contains NUL.')
  const pairs = text.split('&', MAX_PAIRS + 1)
  if (pairs.length > MAX_PAIRS) throw tooLarge()
  const form = noMembers()
  for (const pair of pairs) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) as RegExpExecArray
    if (name !== '') write(form, pathIn(decoded(name), depth), decoded(value))
  }
  return objectOf(form)
}

const tooLarge = () =>
  new Refusal('invalid', `The form has more than ${MAX_PAIRS} members, or is nested too deeply.`)

/** The text as it is if it is not encoded correctly. */
function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** `a[b][]` is `['a', 'b', '']`. A name whose brackets do not match is one name. */
function pathIn(name: string, depth: number): string[] {
  const [, first, brackets] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? []
  if (first === undefined || brackets === undefined) return [name]
  const path = [first, ...brackets.slice(1, -1).split('][')]
  if (path.length - 1 > depth) throw tooLarge()
  return path
}

/** Names that every object has are ignored. */
function write(form: Members, path: readonly string[], value: string): void {
  if (path.some((name) => name in Object.prototype)) return
  let members = form
  path.forEach((segment, i) => {
    const name = segment === '' && i > 0 ? String(members.next) : segment
    if (/^\d{1,15}$/.test(name)) members.next = Math.max(members.next, Number(name) + 1)
    if (i === path.length - 1) {
      members.byName.set(name, value)
      return
    }
    const known = members.byName.get(name)
    const inner = typeof known === 'object' ? known : noMembers()
    if (inner !== known) members.byName.set(name, inner)
    members = inner
  })
}

const objectOf = ({ byName }: Members): object =>
  Object.fromEntries(Array.from(byName, ([name, value]) => [name, built(value)]))

function built(value: string | Members): unknown {
  if (typeof value === 'string') return value
  const { byName } = value
  const places = Array.from({ length: byName.size }, (_, i) => String(i))
  if (!places.every((place) => byName.has(place))) return objectOf(value)
  return places.map((place) => built(byName.get(place) as string | Members))
}

/** Whether a body with the type of a form is JSON: HTTP libraries give this type to every text (V14). */
export const isJsonText = (bytes: Buffer): boolean =>
  /^\s*[{[]/.test(bytes.subarray(0, 64).toString('latin1'))
