import { describe, expect, test } from 'vitest'
import { type DatePreset, datePresets, isDatePreset, presetRange } from './date-presets.ts'

const at = (text: string) => Date.parse(text) / 1000
/** The first and the last second of a preset as local time in Madrid. */
function periodOf(preset: DatePreset, now: string, zone = 'Europe/Madrid') {
  const { from, to } = presetRange(preset, zone, at(now))
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return [from, to].map((moment) => format.format(moment * 1000))
}

describe('A preset of dates', () => {
  // A Wednesday in Madrid; in UTC it is still Tuesday.
  const now = '2026-05-12T22:30:00Z'

  test.each<[DatePreset, first: string, last: string]>([
    ['day', '2026-05-13', '2026-05-13'],
    ['tomorrow', '2026-05-14', '2026-05-14'],
    ['yesterday', '2026-05-12', '2026-05-12'],
    ['week', '2026-05-11', '2026-05-17'],
    ['previous_week', '2026-05-04', '2026-05-10'],
    ['next_week', '2026-05-18', '2026-05-24'],
    ['month', '2026-05-01', '2026-05-31'],
    ['next_month', '2026-06-01', '2026-06-30'],
    ['previous_month', '2026-04-01', '2026-04-30'],
    ['quarter', '2026-04-01', '2026-06-30'],
    ['previous_quarter', '2026-01-01', '2026-03-31'],
    ['next_quarter', '2026-07-01', '2026-09-30'],
    ['last_3_days', '2026-05-11', '2026-05-13'],
    ['next_3_days', '2026-05-13', '2026-05-15'],
    ['last_6_month', '2025-11-13', '2026-05-13'],
    ['year', '2026-01-01', '2026-12-31'],
  ])('%s is from %s to %s, in the time zone', (preset, first, last) => {
    expect(periodOf(preset, now)).toEqual([`${first} 00:00:00`, `${last} 23:59:59`])
  })

  test.each<[DatePreset, string, first: string, last: string]>([
    ['previous_month', '2026-01-15T12:00:00Z', '2025-12-01', '2025-12-31'],
    ['previous_quarter', '2026-02-15T12:00:00Z', '2025-10-01', '2025-12-31'],
    ['next_quarter', '2026-11-15T12:00:00Z', '2027-01-01', '2027-03-31'],
    ['next_month', '2026-12-31T12:00:00Z', '2027-01-01', '2027-01-31'],
    ['week', '2026-05-17T12:00:00Z', '2026-05-11', '2026-05-17'],
    ['week', '2026-05-18T12:00:00Z', '2026-05-18', '2026-05-24'],
    ['last_6_month', '2026-08-31T12:00:00Z', '2026-02-28', '2026-08-31'],
    ['last_6_month', '2026-03-15T12:00:00Z', '2025-09-15', '2026-03-15'],
  ])('%s at %s is from %s to %s', (preset, moment, first, last) => {
    expect(periodOf(preset, moment)).toEqual([`${first} 00:00:00`, `${last} 23:59:59`])
  })

  test('is as long as its days are where clocks change', () => {
    const hours = (now: string) => {
      const { from, to } = presetRange('day', 'Europe/Madrid', at(now))
      return (to + 1 - from) / 3_600
    }
    expect(['2026-03-29T12:00:00Z', '2026-10-25T12:00:00Z', '2026-05-13T12:00:00Z'].map(hours)).toEqual([
      23, 25, 24,
    ])
    // Midnight does not exist on this day.
    expect(periodOf('day', '2018-11-04T15:00:00Z', 'America/Sao_Paulo')).toEqual([
      '2018-11-04 01:00:00',
      '2018-11-04 23:59:59',
    ])
  })

  test('has a known name', () => {
    expect(datePresets).toHaveLength(16)
    for (const name of ['today', '', 'constructor', ['day']]) expect(isDatePreset(name)).toBe(false)
  })
})
