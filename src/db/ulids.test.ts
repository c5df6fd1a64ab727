import { expect, test } from 'vitest'
import { continueAfter, newestUlid, newUlid } from './ulids.ts'

const createClock = (millis: number) => {
  const clock = () => millis
  return {
    clock,
    set: (to: number) => {
      millis = to
    },
  }
}

test('Ids rise within a millisecond, and while the clock is set back', () => {
  const { set, ...at } = createClock(1_000)
  const ids = Array.from({ length: 1_000 }, () => newUlid(at))
  set(500)
  ids.push(newUlid(at), newUlid(at))
  set(2_000)
  ids.push(newUlid(at))
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(ids.length)
})

test('Ids continue after one of another process, if it is greater', () => {
  const [here, there] = [createClock(1_000), createClock(1_001)]
  for (let i = 0; i < 100; i++) {
    const theirs = newUlid(there)
    continueAfter(here, newestUlid(there))
    const own = newUlid(here)
    expect(own > theirs).toBe(true)
    continueAfter(there, newestUlid(here))
  }
  const before = newestUlid(here)
  continueAfter(here, newestUlid(createClock(5)))
  expect(newestUlid(here)).toBe(before)
})
