import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SharedQuestion } from './shared-question.ts'

/** A question that the test answers. */
function asked() {
  const sent: PromiseWithResolvers<void>[] = []
  const question = new SharedQuestion(() => {
    const answer = Promise.withResolvers<void>()
    sent.push(answer)
    return answer.promise
  })
  /** Notes when a request that arrives now has its answer. */
  const arrive = () => {
    const request = { isAnswered: false }
    question.answered().then(
      () => {
        request.isAnswered = true
      },
      () => {},
    )
    return request
  }
  return { sent, question, arrive }
}

test('Requests that arrive together share a question', async () => {
  const { sent, arrive } = asked()
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

test('A request waits for a question that was sent after it arrived', async () => {
  const { sent, arrive } = asked()
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

test('A question that fails is the failure of those who shared it, and the next one is sent', async () => {
  const { sent, question, arrive } = asked()
  const first = question.answered()
  await endOfTurn()
  const next = arrive()
  sent[0]?.reject(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await endOfTurn()
  sent[1]?.resolve()
  await endOfTurn()
  expect([sent.length, next.isAnswered]).toEqual([2, true])
})
