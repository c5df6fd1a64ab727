import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { world } from '../../../test/world.ts'
import { Refusal } from '../../errors.ts'
import { createBuckets, createLimiter, networkOf, rates } from './rate-limit.ts'

type Rate = keyof typeof rates
const names = Object.keys(rates) as Rate[]

function limiter() {
  let millis = Date.UTC(2026, 2, 1)
  const limits = createLimiter(
    createBuckets(() => millis),
    true,
  )
  /** The seconds to wait, or 0 if it was allowed. */
  const take = (rate: Rate, key = 'a'): number => {
    try {
      limits.take(rate, key)
      return 0
    } catch (error) {
      return (error as Refusal).retry_after as number
    }
  }
  const taken = (rate: Rate, times: number, key?: string) =>
    Array.from({ length: times }, () => take(rate, key)).filter((wait) => wait === 0).length
  const pass = (seconds: number) => {
    millis += seconds * 1000
  }
  return { limits, take, taken, pass }
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Bytes in use after a collection. A busy machine collects late. */
function heldMemory(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

describe('A rate limit allows a burst and then a rate per second (V10)', () => {
  test.each(names)('%s: exactly its burst at once', (rate) => {
    const { taken } = limiter()
    expect(taken(rate, rates[rate].burst * 2)).toBe(rates[rate].burst)
  })

  test.each(names)('%s: the documented rate over a long time, plus or minus one', (rate) => {
    const { burst, per_second } = rates[rate]
    const { taken, pass } = limiter()
    const rounds = 1_000
    // Requests come at twice the allowed rate.
    let through = 0
    for (let i = 0; i < rounds; i++) {
      through += taken(rate, 1)
      pass(1 / per_second / 2)
    }
    expect(Math.abs(through - Math.min(rounds, burst + rounds / 2))).toBeLessThanOrEqual(1)
  })

  test.each(names)('%s: again after the announced wait, and not much earlier', (rate) => {
    const pauses = fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { maxLength: 40 })
    fc.assert(
      fc.property(pauses, (seconds) => {
        const { take, taken, pass } = limiter()
        taken(rate, rates[rate].burst)
        for (const pause of seconds) {
          pass(pause)
          take(rate)
        }
        let wait = take(rate)
        while (wait === 0) wait = take(rate)
        expect(wait).toBe(Math.ceil(wait))
        if (wait > 1) {
          pass(wait - 1.001)
          expect(take(rate)).toBeGreaterThan(0)
          pass(1.001)
        } else pass(wait)
        expect(take(rate)).toBe(0)
      }),
      { numRuns: 100 },
    )
  })

  test('separately per key and limit', () => {
    const { taken } = limiter()
    expect(taken('api', 100, 'a')).toBe(40)
    expect(taken('api', 100, 'b')).toBe(40)
    expect(taken('account', 300, 'a')).toBe(200)
  })

  test('and gives back what was taken for nothing', () => {
    const { limits, taken } = limiter()
    for (let i = 0; i < 100; i++) {
      limits.take('token_failure', 'a')
      limits.giveBack([['token_failure', 'a']])
    }
    expect(taken('token_failure', 100)).toBe(5)
  })

  test('and takes of several buckets from all or from none', () => {
    const { limits, taken } = limiter()
    expect(taken('token_failure', 5)).toBe(5)
    const both = () =>
      limits.takeAll([
        ['api', 'a'],
        ['token_failure', 'a'],
      ])
    for (let i = 0; i < 100; i++) expect(both).toThrow(Refusal)
    expect(taken('api', 100)).toBe(40)
  })

  test('without loss if the clock is set back', () => {
    const { taken, pass } = limiter()
    expect(taken('api', 20)).toBe(20)
    pass(-3_600)
    expect(taken('api', 40)).toBe(20)
    pass(1)
    expect(taken('api', 40)).toBe(20)
  })

  test('or everything, if it is disabled', () => {
    const limits = createLimiter(
      createBuckets(() => 0),
      false,
    )
    for (let i = 0; i < 1_000; i++) limits.take('api', 'a')
  })

  test('and keeps the key in use while a million keys take no more memory than a hundred thousand', () => {
    const { limits, take, taken } = limiter()
    expect(taken('api', 40, 'busy')).toBe(40)
    expect(taken('api', 40, 'idle')).toBe(40)
    const before = heldMemory()
    for (let i = 0; i < 1_000_000; i++) {
      limits.take('api', `key ${i}`)
      if (i % 50_000 === 0) expect(take('api', 'busy')).toBe(1)
    }
    expect(heldMemory() - before).toBeLessThan(64 * 1024 * 1024)
    expect(take('api', 'busy')).toBe(1)
    expect(take('api', 'idle')).toBe(0)
  })

  test.each([
    ['192.0.2.7', '192.0.2'],
    ['::ffff:192.0.2.7', '192.0.2'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['2001:db8::1:0:0:6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['unknown', 'unknown'],
  ])('%s belongs to the network %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

describe('Over HTTP', () => {
  test('v4 answers 40 requests at once and 20 per second, then 429 with the seconds to wait', async () => {
    const { admin, stranger, clock } = await world({ env: { RATE_LIMITS: 'on' } })
    const { access_token } = await connect(stranger, await register(admin))
    const caller = stranger.as({ token: access_token })
    const statuses = async (count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => caller.get('/api/v4/account')))
      return answers.map(({ status }) => status).sort()
    }
    expect(await statuses(45)).toEqual([...Array(40).fill(200), ...Array(5).fill(429)])
    const refused = await caller.get('/api/v4/account')
    expect(refused.headers).toMatchObject({ 'content-type': 'application/problem+json', 'retry-after': '1' })
    expect(refused.body).toEqual({
      title: 'Too Many Requests',
      type: 'http://demo.localhost:8080/docs/errors#too_many',
      status: 429,
      detail: 'You have sent too many requests in a given amount of time. Please try again later.',
      retry_after: 1,
    })
    clock.advance(1)
    expect(await statuses(25)).toEqual([...Array(20).fill(200), ...Array(5).fill(429)])
  })

  test('an account has a limit for all its integrations together', async () => {
    const { admin, stranger } = await world({ env: { RATE_LIMITS: 'on' } })
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      const { access_token } = await connect(stranger, await register(admin, { name: `Shop ${i}` }))
      const caller = stranger.as({ token: access_token })
      for (let j = 0; j < 40; j++) statuses.push((await caller.get('/api/v4/account')).status)
    }
    expect(statuses).toEqual([...Array(200).fill(200), ...Array(40).fill(429)])
  })

  test("guessing tokens slows down only the guesser's address", async () => {
    const { admin, stranger } = await world({ env: { RATE_LIMITS: 'on' } })
    const { access_token } = await connect(stranger, await register(admin))
    const guesser = stranger.as({ token: 'guess' })
    const statuses = []
    for (let i = 0; i < 50; i++) statuses.push((await guesser.get('/api/v4/account')).status)
    expect(statuses).toEqual([...Array(40).fill(401), ...Array(10).fill(429)])
    expect((await stranger.as({ token: access_token }).get('/api/v4/account')).status).toBe(200)
  })
})
