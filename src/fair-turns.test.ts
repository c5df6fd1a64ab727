import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { forEachFairly, heldUp } from './fair-turns.ts'

/** Milliseconds; it never goes back. */
let clock = 0
const busy = (milliseconds: number) => {
  clock += milliseconds
}

beforeEach(() => {
  // Each reading takes a moment, so that waiting ends.
  vi.spyOn(performance, 'now').mockImplementation(() => {
    clock += 0.001
    return clock
  })
})

const steps = (count: number) => Array.from({ length: count }, (_, i) => i)

/** Serves a request of a millisecond in each turn of the event loop until it is stopped. Returns the time it took. */
function serveOthers(): () => number {
  let served = 0
  let running = true
  const serve = () => {
    if (!running) return
    busy(1)
    served += 1
    setImmediate(serve)
  }
  setImmediate(serve)
  return () => {
    running = false
    return served
  }
}

test('long work leaves most of the time to short requests', async () => {
  const stop = serveOthers()
  await forEachFairly(steps(100), () => busy(1))
  const served = stop()
  expect(served / (served + 100)).toBeGreaterThan(0.75)
  expect(served / (served + 100)).toBeLessThan(0.9)
})

test('long work that holds others up leaves about half of the time', async () => {
  const isHeldUp = () => true
  heldUp.add(isHeldUp)
  onTestFinished(() => void heldUp.delete(isHeldUp))
  const stop = serveOthers()
  await forEachFairly(steps(100), () => busy(1))
  const served = stop()
  expect(served / (served + 100)).toBeGreaterThan(0.4)
  expect(served / (served + 100)).toBeLessThan(0.6)
})

test('long work waits for nobody when it is alone', async () => {
  const began = clock
  await forEachFairly(steps(100), () => busy(1))
  expect(clock - began).toBeLessThan(102)
})

test('two pieces of long work alternate', async () => {
  const order: string[] = []
  const work = (name: string) =>
    forEachFairly(steps(12), () => {
      busy(1)
      order.push(name)
    })
  await Promise.all([work('a'), work('b')])
  const changes = order.filter((name, i) => i > 0 && name !== order[i - 1]).length
  expect(changes).toBeGreaterThan(3)
})

test('the event loop sleeps while long work waits for clients that may ask again', async () => {
  const turns = () => performance.nodeTiming.uvMetricsInfo.loopCount
  const began = turns()
  await forEachFairly(steps(100), () => {
    busy(1)
    setImmediate(() => busy(1))
  })
  expect(turns() - began).toBeLessThan(500)
})

test('work that is shorter than a slice is not interrupted', async () => {
  const stop = serveOthers()
  await forEachFairly(steps(2), () => busy(1))
  expect(stop()).toBe(0)
})
