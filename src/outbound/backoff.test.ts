import { describe, expect, test } from 'vitest'
import { type Outcome, readRetryAfter, type Verdict, verdict } from './backoff.ts'

const answered = (status: number, retry_after: number | null = null): Outcome => ({
  status,
  retry_after,
  error: null,
})
const broken = (error: NonNullable<Outcome['error']>): Outcome => ({ status: null, retry_after: null, error })
const at = (tries: number, refusals = 0, limit = 11) => ({ tries, refusals, limit })
const delayOf = (found: Verdict) => (found.state === 'ready' ? found.delay : found)
/** With the least, the middle and the most jitter. */
const delays = (outcome: Outcome, tries: number, refusals = 0) =>
  [0, 0.5, 1].map((random) => delayOf(verdict(outcome, at(tries, refusals), random)))

describe('when a delivery is attempted again', () => {
  test.each([
    [1, 4, 5, 6],
    [2, 24, 30, 36],
    [3, 96, 120, 144],
    [4, 480, 600, 720],
    [5, 1440, 1800, 2160],
    [6, 2880, 3600, 4320],
    [7, 5760, 7200, 8640],
    [8, 11_520, 14_400, 17_280],
    [9, 17_280, 21_600, 25_920],
    [10, 28_800, 36_000, 43_200],
  ])('after try %d it waits %d to %3$d s', (tries, least, middle, most) => {
    for (const outcome of [answered(500), answered(302), answered(503), answered(408), broken('reset')])
      expect(delays(outcome, tries)).toEqual([least, middle, most])
  })

  test('every delay of 10,000 failures is within a fifth of its step, and eleven attempts take about 24 hours', () => {
    const steps = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 36_000]
    let total = 0
    for (let n = 0; n < 1000; n++) {
      for (const [i, step] of steps.entries()) {
        const delay = delayOf(verdict(answered(500), at(i + 1), Math.random()))
        expect(typeof delay === 'number' && delay >= step * 0.8 && delay <= step * 1.2).toBe(true)
        total += delay as number
      }
    }
    const hours = total / 1000 / 3600
    expect(hours).toBeGreaterThan(23)
    expect(hours).toBeLessThan(25)
  })

  test.each([500, 502, 503, 301, 302, 307, 408, 425, 429, 304, 600])(
    'a %d gets eleven attempts',
    (status) => {
      expect(verdict(answered(status), at(10), 0.5)).toMatchObject({ state: 'ready' })
      expect(verdict(answered(status), at(11), 0.5)).toEqual({ state: 'failed', why: 'exhausted' })
    },
  )

  test.each(['dns', 'connect', 'timeout', 'tls', 'reset', 'protocol', 'fault'] as const)(
    'no answer (%s) has eleven tries',
    (error) => {
      expect(verdict(broken(error), at(10), 0.5)).toMatchObject({ state: 'ready' })
      expect(verdict(broken(error), at(11), 0.5)).toEqual({ state: 'failed', why: 'exhausted' })
    },
  )

  test.each([broken('timeout'), answered(429)])(
    'who is busy is left alone for a minute at least (%j)',
    (outcome) => {
      for (const tries of [1, 2]) {
        const [least, , most] = delays(outcome, tries)
        expect([least, most]).toEqual([60, 72])
      }
      expect(delays(outcome, 3)).toEqual([96, 120, 144])
    },
  )

  test.each([200, 201, 202, 204, 299])('a %d is delivered', (status) => {
    expect(verdict(answered(status), at(11), 0)).toEqual({ state: 'delivered' })
  })

  test('a limit of one attempt is one attempt', () => {
    expect(verdict(answered(500), at(1, 0, 1), 0)).toEqual({ state: 'failed', why: 'exhausted' })
    expect(verdict(answered(200), at(1, 0, 1), 0)).toEqual({ state: 'delivered' })
  })
})

describe('when a delivery is given up at once', () => {
  test('a 410 ends the delivery', () => {
    expect(verdict(answered(410), at(1), 0)).toEqual({ state: 'failed', why: 'gone' })
  })

  test.each(['bad_url', 'forbidden_address'] as const)('%s ends the delivery', (error) => {
    expect(verdict(broken(error), at(1), 0)).toEqual({ state: 'failed', why: error })
  })
})

describe('a message that the receiver rejects', () => {
  test.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 451, 499])(
    '%d has three tries within a minute',
    (status) => {
      expect(delays(answered(status), 1, 1)).toEqual([4, 5, 6])
      expect(delays(answered(status), 2, 2)).toEqual([24, 30, 36])
      expect(verdict(answered(status), at(3, 3), 0)).toEqual({ state: 'failed', why: 'refused' })
    },
  )

  test('the three attempts are close together also when they begin late', () => {
    expect(delays(answered(404), 7, 1)).toEqual([4, 5, 6])
    expect(delays(answered(404), 8, 2)).toEqual([24, 30, 36])
    expect(verdict(answered(404), at(9, 3), 0)).toEqual({ state: 'failed', why: 'refused' })
    expect(verdict(answered(404), at(11, 1), 0)).toEqual({ state: 'failed', why: 'exhausted' })
  })
})

describe('Retry-After', () => {
  const now = Date.UTC(2026, 2, 1, 12) / 1000

  test.each([
    ['120', 120],
    ['0', 0],
    ['Sun, 01 Mar 2026 12:02:00 GMT', 120],
    ['Sunday, 01-Mar-26 12:02:00 GMT', 120],
    ['Sun Mar  1 12:02:00 2026 GMT', 120],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['', null],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['1e3', null],
    ['12345678901', null],
    ['2027', 2027],
    ['Mon, garbage', null],
    ['2026-03-01T12:02:00Z', null],
  ])('"%s" is %j s', (header, seconds) => {
    expect(readRetryAfter(503, header, now)).toBe(seconds)
  })

  test('it counts only for 408, 425, 429 and 503', () => {
    const heeded = [200, 301, 400, 404, 408, 410, 425, 429, 500, 502, 503, 504].filter(
      (status) => readRetryAfter(status, '120', now) !== null,
    )
    expect(heeded).toEqual([408, 425, 429, 503])
    expect(readRetryAfter(503, undefined, now)).toBe(null)
  })

  test.each([
    // status, attempt, requested, granted
    [503, 4, 700, 700],
    [503, 4, 1200, 1200],
    [503, 4, 1201, 1200],
    [503, 4, 86_400, 1200],
    [503, 4, 600, 600],
    [503, 4, 1, 600],
    [503, 4, 0, 600],
    [408, 3, 200, 200],
    [425, 1, 8, 8],
    [425, 1, 100, 10],
    [429, 1, 90, 90],
    [429, 1, 1000, 120],
    [429, 3, 1000, 240],
  ])('a %d at try %d that asks for %d s is granted %d s', (status, tries, asked, granted) => {
    expect(delayOf(verdict(answered(status, asked), at(tries), 0))).toBe(granted)
  })

  test('jitter never shortens the requested delay, and stays between the step and twice the step', () => {
    for (let asked = 0; asked < 1500; asked += 50) {
      for (const random of [0, 0.3, 0.6, 0.99]) {
        const delay = delayOf(verdict(answered(503, asked), at(4), random)) as number
        expect(delay >= Math.max(600, Math.min(asked, 1200)) && delay <= 1200).toBe(true)
      }
    }
  })
})
