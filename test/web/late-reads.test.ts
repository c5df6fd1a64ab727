import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { LateReadClient } from '../../web/data/late-reads.ts'

/** A query whose reads get the version that the server has when they are sent, and are answered one by one. */
function setUp() {
  const client = new LateReadClient({ defaultOptions: { queries: { retry: false } } })
  const server = { version: 1 }
  const sent: { answer: () => void; fail: () => void }[] = []
  const options = {
    queryKey: ['record', 5],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => {
      const { version } = server
      const { promise, resolve, reject } = Promise.withResolvers<number>()
      sent.push({ answer: () => resolve(version), fail: () => reject(new Error('lost')) })
      return promise
    },
  }
  const show = () => new QueryObserver(client, options).subscribe(() => {})
  const shown = () => client.getQueryData(options.queryKey)
  const answer = async (read: number) => {
    sent[read]?.answer()
    await new Promise((done) => setTimeout(done))
  }
  return { client, server, sent, options, show, shown, answer }
}

test('a change during the first read is read', async () => {
  const { client, server, sent, show, shown, answer } = setUp()
  const hide = show()
  server.version = 2
  const invalidated = client.invalidateQueries({ queryKey: ['record'] })
  await answer(0)
  expect(sent).toHaveLength(2)
  await answer(1)
  await invalidated
  expect(shown()).toBe(2)
  expect(sent).toHaveLength(2)
  hide()
})

test('a change during a later read stops this read and is read', async () => {
  const { client, server, sent, show, shown, answer } = setUp()
  const hide = show()
  await answer(0)
  void client.invalidateQueries({ queryKey: ['record'] })
  server.version = 2
  const invalidated = client.invalidateQueries({ queryKey: ['record'] })
  expect(sent).toHaveLength(3)
  await answer(1)
  expect(shown()).toBe(1)
  await answer(2)
  await invalidated
  expect(shown()).toBe(2)
  expect(sent).toHaveLength(3)
  hide()
})

test('a change during a read in advance is read when the query is shown', async () => {
  const { client, server, sent, options, show, shown, answer } = setUp()
  void client.prefetchQuery(options)
  server.version = 2
  void client.invalidateQueries({ queryKey: ['record'], refetchType: 'none' })
  await answer(0)
  expect(sent).toHaveLength(1)
  const hide = show()
  await answer(1)
  expect(shown()).toBe(2)
  hide()
})

test('an invalidation ends although the read under way fails', async () => {
  const { client, sent, show } = setUp()
  const hide = show()
  const invalidated = client.invalidateQueries({ queryKey: ['record'] })
  sent[0]?.fail()
  await invalidated
  expect(sent).toHaveLength(1)
  hide()
})
