import { expect, test } from 'vitest'
import { formatIn } from '../../web/parts/texts/format.ts'

const at = (day: number, hour: number, month = 10) => new Date(2026, month, day, hour).getTime() / 1000
const now = at(20, 9)
const { relative } = formatIn('en')

test('yesterday and tomorrow are days of the calendar', () => {
  expect(relative(at(19, 8), now)).toBe('yesterday')
  expect(relative(at(18, 10), now)).toBe('2 days ago')
  expect(relative(at(18, 23), now)).toBe('2 days ago')
  expect(relative(at(21, 10), now)).toBe('tomorrow')
  expect(relative(at(22, 8), now)).toBe('in 2 days')
})

test('hours and minutes are counted, and so are months and years', () => {
  expect(relative(now - 7_200, now)).toBe('2 hours ago')
  expect(relative(now, now)).toBe('now')
  expect(relative(now - 59, now)).toBe('now')
  expect(formatIn('ru').relative(now, now)).toBe('сейчас')
  expect(relative(at(31, 9, 0), at(31, 9, 2))).toBe('1 month ago')
  expect(relative(now - 700 * 86_400, now)).toBe('1 year ago')
})
