import { afterEach, expect, test, vi } from 'vitest'
import { world } from '../test/world.ts'
import { startChore } from './chores.ts'

afterEach(() => vi.useRealTimers())

/** Runs of a task, of which each takes ten seconds and the second one fails. */
async function started(every_seconds: number) {
  const { ctx, logged } = await world()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const runs: number[] = []
  let at = 0
  const stop = startChore(ctx, {
    name: 'a task',
    every_seconds,
    run: async () => {
      runs.push(at)
      await new Promise((resolve) => setTimeout(resolve, 10_000))
      if (runs.length === 2) throw new Error('broken')
    },
  })
  const pass = async (seconds: number) => {
    for (const until = at + seconds; at < until; ) {
      at++
      await vi.advanceTimersByTimeAsync(1_000)
    }
  }
  return { runs, stop, pass, logged }
}

test('a task of each hour runs two minutes after the start, and again after a failure', async () => {
  const { runs, stop, pass, logged } = await started(3_600)
  await pass(119)
  expect(runs).toEqual([])
  await pass(2 * 3_610 + 1)
  expect(runs).toEqual([120, 120 + 3_610, 120 + 2 * 3_610])
  expect(logged()).toContain('a periodic task failed and will be repeated')
  stop()
  await pass(3_700)
  expect(runs).toHaveLength(3)
})

test('a frequent task keeps its period, and runs do not overlap', async () => {
  const { runs, stop, pass } = await started(3)
  await pass(30)
  expect(runs).toEqual([3, 16, 29])
  stop()
})
