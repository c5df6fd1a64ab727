import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { batched } from '../../web/api/batched.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('items are read together after a pause, and rarely while there are many', async () => {
  const reads: string[][] = []
  const items = batched<string>((some) => reads.push(some), { wait: 100, rest: 500 })
  items.add('a')
  items.add('b')
  await vi.advanceTimersByTimeAsync(99)
  expect(reads).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  items.add('c')
  await vi.advanceTimersByTimeAsync(499)
  expect(reads).toEqual([['a', 'b']])
  await vi.advanceTimersByTimeAsync(1)
  expect(reads).toEqual([['a', 'b'], ['c']])
  items.add('d')
  items.end()
  items.add('e')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reads).toHaveLength(2)
})

test('a read follows the one before, whether that succeeds or fails, unless it is late', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const reads: { some: string[]; answer: PromiseWithResolvers<void> }[] = []
  const items = batched<string>(
    (some) => {
      const answer = Promise.withResolvers<void>()
      reads.push({ some, answer })
      return answer.promise
    },
    { wait: 0, rest: 10 },
  )
  const read = () => reads.map(({ some }) => some.join())
  items.add('a')
  await vi.advanceTimersByTimeAsync(0)
  items.add('b')
  items.add('c')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(read()).toEqual(['a'])
  reads[0]?.answer.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(read()).toEqual(['a', 'b,c'])
  items.add('d')
  reads[1]?.answer.reject(new Error('lost'))
  await vi.advanceTimersByTimeAsync(10)
  expect(read()).toEqual(['a', 'b,c', 'd'])
  expect(reported).toHaveBeenCalledWith(new Error('lost'))
  items.add('e')
  await vi.advanceTimersByTimeAsync(9_000)
  expect(read()).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(1_001)
  expect(read()).toEqual(['a', 'b,c', 'd', 'e'])
})

test('a read that throws at once does not hold back the next one', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const reads: string[][] = []
  const items = batched<string>(
    (some) => {
      reads.push(some)
      throw new Error('broken')
    },
    { wait: 0, rest: 10 },
  )
  items.add('a')
  await vi.advanceTimersByTimeAsync(0)
  items.add('b')
  await vi.advanceTimersByTimeAsync(10)
  expect(reads).toEqual([['a'], ['b']])
  expect(reported).toHaveBeenCalledTimes(2)
})
