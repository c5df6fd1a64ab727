import { expect, test } from 'vitest'
import { durationOf, secondsOf } from '../../web/automation/durations.ts'

test('a time is shown in its largest whole unit, and saving it unchanged keeps it', () => {
  const shown = [0, 45, 60, 90, 3_600, 5_400, 86_400, 90_000, 366 * 86_400].map(durationOf)
  expect(shown.map(({ count, unit }) => `${count} ${unit}`)).toEqual([
    '0 minutes',
    '45 seconds',
    '1 minutes',
    '90 seconds',
    '1 hours',
    '90 minutes',
    '1 days',
    '25 hours',
    '366 days',
  ])
  expect(shown.map(secondsOf)).toEqual([0, 45, 60, 90, 3_600, 5_400, 86_400, 90_000, 366 * 86_400])
})
