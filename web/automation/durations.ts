/** The units of a delay, in seconds. */
export const unitSeconds = { minutes: 60, hours: 3_600, days: 86_400 } as const
export type Unit = keyof typeof unitSeconds
export const units = Object.keys(unitSeconds) as Unit[]

export interface Duration {
  count: number
  unit: Unit
}

/** Seconds in the largest unit that fits. */
export function durationOf(seconds: number): Duration {
  const unit = units.findLast((one) => seconds % unitSeconds[one] === 0) ?? 'minutes'
  return { unit, count: Math.max(1, Math.round(seconds / unitSeconds[unit])) }
}

export const secondsOf = ({ count, unit }: Duration): number => count * unitSeconds[unit]
