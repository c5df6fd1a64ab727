import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { linesOf } from './dump-lines.ts'

const linesIn = async (chunks: Iterable<string>): Promise<string[]> =>
  (
    await Array.fromAsync(
      linesOf(
        Readable.from(
          [...chunks].map((text) => Buffer.from(text)),
          { objectMode: false },
        ),
      ),
    )
  ).flat()

test.each([
  [['a\nb\n'], ['a', 'b']],
  [['a\nb'], ['a', 'b']],
  [
    ['a', 'b', '\nc', 'd'],
    ['ab', 'cd'],
  ],
  [
    ['a\n', '\n', 'b'],
    ['a', '', 'b'],
  ],
  [[''], []],
])('the lines of the chunks %j are %j', async (chunks, lines) => {
  expect(await linesIn(chunks)).toEqual(lines)
})

test('a character that is split between two chunks is whole', async () => {
  const bytes = Buffer.from('é\n')
  const chunks = [bytes.subarray(0, 1), bytes.subarray(1)]
  expect(await Array.fromAsync(linesOf(Readable.from(chunks, { objectMode: false })))).toEqual([['é']])
})

test('a long line costs as much as its length', async () => {
  const chunks = Array.from({ length: 40_000 }, () => 'x'.repeat(200))
  const before = process.threadCpuUsage()
  expect((await linesIn(chunks)).map(({ length }) => length)).toEqual([8_000_000])
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(2_000)
})

test('a line that no backup has is refused before it fills the memory', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1_048_576, 'x')
    })(),
  )
  await expect(Array.fromAsync(linesOf(endless, 67_108_864))).rejects.toThrow(
    'The backup has a line of more than 67108864 characters.',
  )
})
