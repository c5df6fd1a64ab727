import { describe, expect, test } from 'vitest'
import { ConcurrencyLimiter, type Release } from './concurrency-limiter.ts'

const never = new AbortController().signal
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Starts tasks, and knows the order in which they ran. */
function asker(limiter: ConcurrencyLimiter) {
  const had: string[] = []
  const held: [string, Release][] = []
  return {
    had,
    held,
    ask: (...endpoints: string[]) => {
      for (const endpoint of endpoints)
        limiter.acquire(endpoint, never).then((giveBack) => {
          had.push(endpoint)
          held.push([endpoint, giveBack])
        })
      return settled()
    },
    give: (endpoint: string, took_ms = 0) => {
      const at = held.findIndex(([name]) => name === endpoint)
      held.splice(at, 1)[0]?.[1](took_ms)
      return settled()
    },
  }
}

describe('concurrent tasks', () => {
  test('are limited per endpoint, independently of the others', async () => {
    const { ask, had, give } = asker(new ConcurrencyLimiter({ each: 2, all: 10, slow: 10 }))
    await ask('a', 'a', 'a', 'a', 'b')
    expect(had).toEqual(['a', 'a', 'b'])
    await give('b')
    expect(had).toEqual(['a', 'a', 'b'])
    await give('a')
    expect(had).toEqual(['a', 'a', 'b', 'a'])
  })

  test('are limited in total', async () => {
    const { ask, had, give } = asker(new ConcurrencyLimiter({ each: 4, all: 3, slow: 3 }))
    await ask('a', 'b', 'c', 'd')
    expect(had).toEqual(['a', 'b', 'c'])
    await give('b')
    expect(had).toEqual(['a', 'b', 'c', 'd'])
  })

  test('run by turns of the endpoints, however many tasks of one of them wait', async () => {
    const { ask, had, give } = asker(new ConcurrencyLimiter({ each: 4, all: 2, slow: 2 }))
    await ask('a', 'a', 'a', 'a', 'a', 'b', 'b', 'c')
    const order: string[] = []
    while (had.length < 8) {
      await give(had[order.length] as string)
      order.push(had.at(-1) as string)
    }
    expect(had).toEqual(['a', 'a', 'a', 'b', 'c', 'a', 'b', 'a'])
  })

  test('of slow endpoints share a part of the total', async () => {
    const limiter = new ConcurrencyLimiter({ each: 4, all: 8, slow: 2 })
    const { ask, had, give } = asker(limiter)
    await ask('s1', 's2', 's3')
    for (const name of ['s1', 's2', 's3']) await give(name, 2001)
    expect(['s1', 's2', 's3', 'a'].map((name) => limiter.isSlow(name))).toEqual([true, true, true, false])
    had.length = 0
    await ask('s1', 's1', 's2', 's3', 'a', 'a', 'b', 'b', 'c', 'c', 'd')
    expect(had).toEqual(['s1', 's1', 'a', 'a', 'b', 'b', 'c', 'c'])
  })

  test('make an endpoint slow when the 95th percentile of the last twenty is over 2 s', async () => {
    const limiter = new ConcurrencyLimiter({ each: 1, all: 8, slow: 1 })
    const { ask, give } = asker(limiter)
    const take = async (...took: number[]) => {
      for (const took_ms of took) {
        await ask('s')
        await give('s', took_ms)
      }
      return limiter.isSlow('s')
    }
    expect(await take(2000)).toBe(false)
    expect(await take(2001)).toBe(true)
    expect(await take(...Array(18).fill(10))).toBe(false)
    expect(await take(5000)).toBe(true)
    expect(await take(10)).toBe(false)
    expect(await take(...Array(20).fill(5000))).toBe(true)
    expect(await take(...Array(18).fill(10))).toBe(true)
    expect(await take(10)).toBe(false)
  })

  test('that sent nothing do not count', async () => {
    const limiter = new ConcurrencyLimiter({ each: 1, all: 8, slow: 1 })
    const never_used = await limiter.acquire('s', never)
    never_used(null)
    expect(limiter.isSlow('s')).toBe(false)
    const used = await limiter.acquire('s', never)
    used(3000)
    const again = await limiter.acquire('s', never)
    again(null)
    expect(limiter.isSlow('s')).toBe(true)
  })

  test('can be cancelled while they wait', async () => {
    const limiter = new ConcurrencyLimiter({ each: 1, all: 8, slow: 8 })
    const { ask, give, had } = asker(limiter)
    await ask('a')
    const impatient = new AbortController()
    const waiting = limiter.acquire('a', impatient.signal)
    await ask('a')
    impatient.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(limiter.acquire('a', impatient.signal)).rejects.toThrow('enough')
    await give('a')
    expect(had).toEqual(['a', 'a'])
  })
})
