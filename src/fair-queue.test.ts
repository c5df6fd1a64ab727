import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

test('Work runs one piece at a time, and keys with much queued work alternate with the others', async () => {
  const turns = createFairQueue({ at_once: 1, most_waiting: 10 })
  const done: string[] = []
  let under_way = 0
  const work = (name: string) => async () => {
    expect(++under_way).toBe(1)
    await Promise.resolve()
    done.push(name)
    under_way--
    return name
  }
  const all = [
    ...['a1', 'a2', 'a3', 'a4'].map((name) => turns.take('a', work(name))),
    ...['b1', 'b2'].map((name) => turns.take('b', work(name))),
    turns.take('c', work('c1')),
  ]
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'])
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('Queued work runs in the async context of its caller', async () => {
  const turns = createFairQueue({ at_once: 1, most_waiting: 10 })
  const contexts = new AsyncLocalStorage<string>()
  const take = (name: string) =>
    contexts.run(name, () => turns.take(name, async () => [name, contexts.getStore()]))
  expect(await Promise.all(['a', 'b', 'c'].map(take))).toEqual([
    ['a', 'a'],
    ['b', 'b'],
    ['c', 'c'],
  ])
})

test('Failing work does not stop other work, and work over the limit is not run', async () => {
  const turns = createFairQueue({ at_once: 1, most_waiting: 2 })
  const gate = Promise.withResolvers<void>()
  const first = turns.take('a', () => gate.promise)
  const failing = turns.take('a', () => Promise.reject(new Error('broken')))
  const last = turns.take('a', async () => 'done')
  expect(await turns.take('a', async () => 'too much')).toBeNull()
  const other = turns.take('b', async () => 'other')
  gate.resolve()
  await first
  await expect(failing).rejects.toThrow('broken')
  expect([await last, await other]).toEqual(['done', 'other'])
})
