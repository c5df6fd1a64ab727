import { SIGNED_DATE } from '../chats/chats.ts'
import { momentOf } from './dates.ts'
import type { Mistake } from './mistake-types.ts'
import { settingsOf, type TextSettings, type TextWriter } from './recipes.ts'
import type { Budget } from './search.ts'
import { textMistakes } from './text-mistakes.ts'

/** The greatest distance of the `Date` of a request from now, as in `chats/scopes/signature.ts`. */
const DATE_SECONDS = 15 * 60

/** The mistakes in the `Date` of a request, which the newer recipe needs. `now` is in milliseconds. */
export function dateFault(date: string | undefined, now: number): Mistake | undefined {
  if (date === undefined) return { id: 'date_missing', detail: null }
  const at = momentOf(date)
  if (at === undefined || !SIGNED_DATE.test(date)) return { id: 'date_unreadable', detail: null }
  const seconds = Math.round((at - now) / 1000)
  if (Math.abs(at - now) <= DATE_SECONDS * 1000) return undefined
  return {
    id: 'date_stale',
    detail: `${durationOf(Math.abs(seconds))} ${seconds < 0 ? 'before' : 'after'} the time of the server`,
  }
}

const units: readonly [seconds: number, name: string][] = [
  [86_400, 'days'],
  [3_600, 'hours'],
  [60, 'minutes'],
]

function durationOf(seconds: number): string {
  const [size, name] = units.find(([size]) => seconds >= 2 * size) ?? [1, 'seconds']
  return `${Math.round(seconds / size)} ${name}`
}

/** The mistakes in the `Content-MD5` of a request: the mistakes that lead to its value. None if it is right. */
export function digestFaults(writer: TextWriter, budget: Budget): Mistake[] {
  const { digest } = writer.parts
  if (digest === null) return [{ id: 'digest_missing', detail: null }]
  const base = settingsOf('chat_lines')
  if (writer.digestIn(base) === digest) return []
  const made: { settings: TextSettings; mistakes: Mistake[]; place: number }[] = []
  const tryRow = (settings: TextSettings, mistakes: Mistake[], place: number): Mistake[] | undefined => {
    const row = rows[place] as (typeof rows)[number]
    for (const { change, detail = null } of row.variants(settings, writer.parts)) {
      if (budget.isSpent) return undefined
      const before = writer.worked
      const one = {
        settings: { ...settings, ...change },
        mistakes: [...mistakes, { id: row.id, detail }],
        place,
      }
      const value = writer.digestIn(one.settings)
      budget.takeText(writer.worked - before)
      if (value === digest) return one.mistakes
      if (mistakes.length === 0) made.push(one)
    }
    return undefined
  }
  for (let place = 0; place < rows.length; place++) {
    const found = tryRow(base, [], place)
    if (found) return found
  }
  for (const { settings, mistakes, place } of made)
    for (let second = place + 1; second < rows.length; second++) {
      if (rows[second]?.dimension === rows[place]?.dimension) continue
      const found = tryRow(settings, mistakes, second)
      if (found) return found
    }
  return [{ id: 'digest_differs', detail: null }]
}

const DIMENSIONS = [
  ...['spacing', 'slashes', 'unicode', 'html', 'members', 'decoded', 'line ends', 'ending', 'charset'],
  ...['empty', 'digest'],
]

/** The mistakes that change the digest of a body. */
const rows = textMistakes.filter(
  ({ of, dimension }) => of.includes('digest') && DIMENSIONS.includes(dimension),
)
