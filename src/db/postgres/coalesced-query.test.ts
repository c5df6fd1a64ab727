import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CoalescedQuery } from './coalesced-query.ts'

/** A query that the test answers. */
function pendingQuery() {
  const sent: PromiseWithResolvers<void>[] = []
  const query = new CoalescedQuery(() => {
    const answer = Promise.withResolvers<void>()
    sent.push(answer)
    return answer.promise
  })
  /** Notes when a request that arrives now has its answer. */
  const arrive = () => {
    const request = { isAnswered: false }
    query.run().then(
      () => {
        request.isAnswered = true
      },
      () => {},
    )
    return request
  }
  return { sent, query, arrive }
}

test('Requests that arrive together share a query', async () => {
  const { sent, arrive } = pendingQuery()
  const requests = [arrive(), arrive()]
  await Promise.resolve()
  requests.push(arrive())
  expect(sent.length).toBe(0)
  await endOfTurn()
  expect(sent.length).toBe(1)
  sent[0]?.resolve()
  await endOfTurn()
  expect(requests.map(({ isAnswered }) => isAnswered)).toEqual([true, true, true])
  expect(sent.length).toBe(1)
})

test('A request waits for a query that was sent after it arrived', async () => {
  const { sent, arrive } = pendingQuery()
  arrive()
  await endOfTurn()
  const late = [arrive(), arrive()]
  await endOfTurn()
  expect(sent.length).toBe(1)
  sent[0]?.resolve()
  await endOfTurn()
  expect([sent.length, ...late.map(({ isAnswered }) => isAnswered)]).toEqual([2, false, false])
  const later = arrive()
  sent[1]?.resolve()
  await endOfTurn()
  expect([sent.length, ...[...late, later].map(({ isAnswered }) => isAnswered)]).toEqual([
    3,
    true,
    true,
    false,
  ])
})

test('A query that fails is the failure of those who shared it, and the next one is sent', async () => {
  const { sent, query, arrive } = pendingQuery()
  const first = query.run()
  await endOfTurn()
  const next = arrive()
  sent[0]?.reject(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await endOfTurn()
  sent[1]?.resolve()
  await endOfTurn()
  expect([sent.length, next.isAnswered]).toEqual([2, true])
})
