import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { merged } from './merged.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** A source that yields nothing until it is resolved. */
function waiting<T>() {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let isEnded = false
  const source = (async function* () {
    try {
      yield await promise
    } finally {
      isEnded = true
    }
  })()
  return { source, resolve, reject, isEnded: () => isEnded }
}

async function* counting(to: number) {
  for (let i = 0; i < to; i++) yield i
}

test('a source that waits does not hold up another one, and what it yields comes at once', async () => {
  const late = waiting<number>()
  const all = merged(counting(3), late.source)
  expect([(await all.next()).value, (await all.next()).value]).toEqual([0, 1])
  late.resolve(9)
  await setImmediate()
  expect(new Set([(await all.next()).value, (await all.next()).value])).toEqual(new Set([2, 9]))
  expect((await all.next()).done).toBe(true)
})

test('the first source that ends or throws ends the others', async () => {
  const other = waiting<number>()
  expect(await Array.fromAsync(merged(counting(2), other.source))).toEqual([0, 1])
  other.resolve(9)
  await expect.poll(other.isEnded).toBe(true)
  const [broken, rest] = [waiting<number>(), waiting<number>()]
  const all = merged(broken.source, rest.source)
  broken.reject(new Error('no database'))
  await expect(all.next()).rejects.toThrow('no database')
  rest.resolve(9)
  await expect.poll(rest.isEnded).toBe(true)
})

test('what a source has yielded is not kept while another one waits', async () => {
  const pages: WeakRef<object>[] = []
  const busy = async function* () {
    for (;;) {
      const page = { text: 'a page of events' }
      pages.push(new WeakRef(page))
      yield page
    }
  }
  const all = merged<object>(busy(), waiting<object>().source)
  for (let i = 0; i < 100; i++) await all.next()
  await setImmediate()
  collectGarbage()
  expect(pages.filter((page) => page.deref()).length).toBeLessThan(10)
  await all.return(undefined)
})
