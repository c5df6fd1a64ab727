import { expect, test } from 'vitest'
import { endOfDay } from './deadline.ts'

const at = (iso: string) => Date.parse(iso) / 1000

test.each([
  ['UTC', '2026-03-01T00:00:00Z', '2026-03-01T23:59:59Z'],
  ['UTC', '2026-03-01T23:59:59Z', '2026-03-01T23:59:59Z'],
  ['America/Sao_Paulo', '2026-03-01T01:00:00Z', '2026-03-01T02:59:59Z'],
  ['Asia/Kolkata', '2026-03-01T20:00:00Z', '2026-03-02T18:29:59Z'],
  // The clocks go forward, and back, during the day.
  ['Europe/Madrid', '2026-03-29T00:30:00Z', '2026-03-29T21:59:59Z'],
  ['Europe/Madrid', '2026-10-25T00:30:00Z', '2026-10-25T22:59:59Z'],
])('the day of %s at %s ends at %s', (timezone, now, end) => {
  expect(endOfDay(timezone, at(now))).toBe(at(end))
})
