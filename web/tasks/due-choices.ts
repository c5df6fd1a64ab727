import { dayStart, isWholeDay, minuteOf, onDay, weekStart } from '../parts/texts/zoned.ts'

/** Deadlines that can be set with one click. */
const days = {
  today: (zone: string, now: number) => dayStart(zone, now),
  tomorrow: (zone: string, now: number) => dayStart(zone, now, 1),
  in_three_days: (zone: string, now: number) => dayStart(zone, now, 3),
  next_monday: (zone: string, now: number) => weekStart(zone, now, 1),
  in_a_month: (zone: string, now: number) => dayStart(zone, now, 30),
}
export type DueChoice = keyof typeof days

/** Returns the options with their times. A deadline keeps its time of day, unless that has passed. */
export function dueChoices(zone: string, now: number, due?: number): { choice: DueChoice; at: number }[] {
  const minute = due === undefined || isWholeDay(zone, due) ? undefined : minuteOf(zone, due)
  return (Object.keys(days) as DueChoice[]).map((choice) => {
    const day = days[choice](zone, now)
    const kept = onDay(zone, day, minute)
    return { choice, at: kept > now ? kept : onDay(zone, day) }
  })
}
