import { expect, test } from 'vitest'
import { onlyOnce } from '../../web/api/only-once.ts'
import { Problem, Unreachable } from '../../web/api/problem.ts'

type Sent = [body: unknown, key: string]

test('a write without a response is repeated as it was, and a write after it is another one', async () => {
  const sent: Sent[] = []
  const fails = [new Unreachable('lost'), new Unreachable('lost'), undefined, undefined]
  const add = (body: object) =>
    onlyOnce('a purchase', body, async (same, { 'Idempotency-Key': key }) => {
      const failure = fails[sent.push([same, key]) - 1]
      if (failure) throw failure
      return 'added'
    })
  await expect(add({ at: 1 })).rejects.toThrow(Unreachable)
  await expect(add({ at: 2 })).rejects.toThrow(Unreachable)
  expect(await add({ at: 3 })).toBe('added')
  expect(await add({ at: 4 })).toBe('added')
  const keys = sent.map(([, key]) => key)
  expect(sent.map(([body]) => body)).toEqual([{ at: 1 }, { at: 1 }, { at: 1 }, { at: 4 }])
  expect([keys[1], keys[2]]).toEqual([keys[0], keys[0]])
  expect(keys[3]).not.toBe(keys[0])
})

test('a refused write is sent with another key', async () => {
  const keys: string[] = []
  const add = () =>
    onlyOnce('a lead', {}, async (_body, { 'Idempotency-Key': key }) => {
      keys.push(key)
      throw new Problem(409, {})
    })
  await expect(add()).rejects.toThrow(Problem)
  await expect(add()).rejects.toThrow(Problem)
  expect(keys[0]).not.toBe(keys[1])
})
