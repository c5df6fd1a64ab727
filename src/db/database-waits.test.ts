import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { askAgain, asOneWork, hasAsked, noteAsked, waitForDatabase } from './database-waits.ts'

const source = {}
const wait = () => waitForDatabase(() => endOfTurn())

test('Work that waits for nothing but the database need not ask again', async () => {
  await asOneWork(async () => {
    expect(hasAsked(source)).toBe(false)
    await endOfTurn()
    noteAsked(source)
    expect([hasAsked(source), hasAsked({})]).toEqual([true, false])
    await Promise.all([wait(), wait()])
    await wait()
    expect(hasAsked(source)).toBe(true)
  })
})

test('Work that has waited for something else asks again', async () => {
  await asOneWork(async () => {
    noteAsked(source)
    await endOfTurn()
    expect(hasAsked(source)).toBe(false)
    await wait()
    expect(hasAsked(source)).toBe(false)
  })
})

test('Work that has changed something asks again', async () => {
  await asOneWork(async () => {
    noteAsked(source)
    await wait()
    askAgain()
    expect(hasAsked(source)).toBe(false)
    await wait()
    expect(hasAsked(source)).toBe(false)
  })
})

test('Work that another one starts in the same event asks for itself', async () => {
  await asOneWork(async () => {
    noteAsked(source)
    expect(asOneWork(() => hasAsked(source))).toBe(false)
    expect(hasAsked(source)).toBe(true)
  })
  noteAsked(source)
  expect(hasAsked(source)).toBe(false)
})
