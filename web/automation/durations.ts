/** The units of a delay, in seconds. */
export const unitSeconds = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const
export type Unit = keyof typeof unitSeconds
export const units = Object.keys(unitSeconds) as Unit[]

export interface Duration {
  count: number
  unit: Unit
}

/** Seconds in the largest unit of which they are a whole number. */
export function durationOf(seconds: number): Duration {
  const unit =
    units.findLast((one) => seconds >= unitSeconds[one] && seconds % unitSeconds[one] === 0) ?? 'minutes'
  return { unit, count: seconds / unitSeconds[unit] }
}

export const secondsOf = ({ count, unit }: Duration): number => count * unitSeconds[unit]
