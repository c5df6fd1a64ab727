const two = (number: number): string => String(number).padStart(2, '0')

/** The forms in which clients write a moment, right and wrong. `GMT`, `UTC` and an offset are right. */
const forms: readonly ((date: Date) => string)[] = [
  (date) => date.toUTCString(),
  (date) => date.toUTCString().replace('GMT', '+0000'),
  (date) => date.toUTCString().replace('GMT', 'UTC'),
  (date) => date.toUTCString().replace('GMT', '-0000'),
  (date) => date.toUTCString().replace('GMT', '+00:00'),
  (date) => date.toUTCString().replace(/, 0/, ', '),
  (date) => date.toUTCString().slice('Sun, '.length),
  (date) => date.toISOString(),
  (date) => date.toISOString().replace(/\.\d+Z/, 'Z'),
  (date) => date.toISOString().replace(/\.\d+Z/, '+00:00'),
  (date) =>
    date
      .toISOString()
      .replace(/\.\d+Z/, '')
      .replace('T', ' '),
  (date) => String(Math.floor(date.getTime() / 1000)),
  (date) => String(date.getTime()),
  (date) =>
    `${date.toUTCString().slice(0, 3)} ${date.toUTCString().slice(8, 11)} ${two(date.getUTCDate())} ${date.getUTCFullYear()} ${date.toUTCString().slice(17, 25)}`,
]

const SECONDS = [1, -1, 2, -2, 3, -3]

/** The moment of a text in any form that clients use, in milliseconds; undefined if it is none. */
export function momentOf(text: string): number | undefined {
  const unix = /^\d{10}$/.test(text) ? Number(text) * 1000 : /^\d{13}$/.test(text) ? Number(text) : undefined
  // Without a zone it would be the time of this machine.
  const at = unix ?? Date.parse(ZONE.test(text) ? text : `${text}${text.includes('-') ? 'Z' : ' GMT'}`)
  // Beyond these bounds a moment cannot be written in every form.
  return at >= 0 && at < 253_402_300_800_000 ? at : undefined
}

const ZONE = /(?:Z|GMT|UTC|[+-]\d{2}:?\d{2})$/

/** The same moment in other forms. */
export function otherForms(text: string): string[] {
  const at = momentOf(text)
  if (at === undefined) return []
  return [...new Set(forms.map((write) => write(new Date(at))))].filter((one) => one !== text)
}

/** Moments up to three seconds away, in the form of the text. Empty if the form is not known. */
export function otherSeconds(text: string): string[] {
  const at = momentOf(text)
  const write = at === undefined ? undefined : forms.find((one) => one(new Date(at)) === text)
  return at === undefined || !write
    ? []
    : SECONDS.map((seconds) => write(new Date(Math.max(0, at + seconds * 1000))))
}
