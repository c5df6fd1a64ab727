import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { asOneWork, checkAgain, hasChecked, markChecked, waitForDatabase } from './database-waits.ts'

const source = {}
const wait = () => waitForDatabase(() => endOfTurn())

test('Work that waits for nothing but the database need not check again', async () => {
  await asOneWork(async () => {
    expect(hasChecked(source)).toBe(false)
    await endOfTurn()
    markChecked(source)
    expect([hasChecked(source), hasChecked({})]).toEqual([true, false])
    await Promise.all([wait(), wait()])
    await wait()
    expect(hasChecked(source)).toBe(true)
  })
})

test('Work that has waited for something else checks again', async () => {
  await asOneWork(async () => {
    markChecked(source)
    await endOfTurn()
    expect(hasChecked(source)).toBe(false)
    await wait()
    expect(hasChecked(source)).toBe(false)
  })
})

test('Work that has changed something checks again', async () => {
  await asOneWork(async () => {
    markChecked(source)
    await wait()
    checkAgain()
    expect(hasChecked(source)).toBe(false)
    await wait()
    expect(hasChecked(source)).toBe(false)
  })
})

test('Work that another one starts in the same event checks for itself', async () => {
  await asOneWork(async () => {
    markChecked(source)
    expect(asOneWork(() => hasChecked(source))).toBe(false)
    expect(hasChecked(source)).toBe(true)
  })
  markChecked(source)
  expect(hasChecked(source)).toBe(false)
})
