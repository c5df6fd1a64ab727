import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { byTurns } from './log.ts'

function collecting() {
  const written: string[] = []
  return { written, write: (text: string) => void written.push(text) }
}

test('The lines of a turn are written together, in their order', async () => {
  const target = collecting()
  const lines = byTurns(target)
  lines.write('a\n')
  lines.write('b\n')
  expect(target.written).toEqual([])
  await nextTurn()
  expect(target.written).toEqual(['a\nb\n'])
  lines.write('c\n')
  await nextTurn()
  expect(target.written).toEqual(['a\nb\n', 'c\n'])
  await nextTurn()
  expect(target.written).toHaveLength(2)
})

test('Many lines do not wait for the end of the turn', () => {
  const target = collecting()
  const lines = byTurns(target)
  for (let i = 0; i < 3; i++) lines.write('x'.repeat(40_000))
  expect(target.written.map(({ length }) => length)).toEqual([80_000])
  lines.flush()
  expect(target.written.map(({ length }) => length)).toEqual([80_000, 40_000])
})

test('A fatal error is written at once, after the lines before it', () => {
  const target = collecting()
  const log = pino({ base: null, timestamp: false }, byTurns(target))
  log.info('before')
  log.fatal('the end')
  expect(target.written.join('').split('\n')).toEqual([
    '{"level":30,"msg":"before"}',
    '{"level":60,"msg":"the end"}',
    '',
  ])
})
