import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../test/programs/temporary-folder.ts'
import { openOutput } from './log-output.ts'

const OFTEN = { interval: 5 }
/** More than a pipe takes. */
const LINE = `${'x'.repeat(99_999)}\n`

/** A pipe whose reader reads only when the test does. */
function openPipe() {
  const path = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(fd))
  let got = ''
  const read = () => {
    const bytes = Buffer.alloc(65_536)
    try {
      got += bytes.toString('latin1', 0, readSync(fd, bytes))
    } catch {}
    return got
  }
  return { fd, read }
}

test('A reader that stops does not stop the program, and gets what waited, when it goes on', async () => {
  const { fd, read } = openPipe()
  const output = openOutput(fd)
  for (let n = 0; n < 3; n++) output.write(LINE)
  output.write('last\n')
  await expect.poll(read, OFTEN).toBe(`${LINE.repeat(3)}last\n`)
  output.write('later\n')
  await expect.poll(read, OFTEN).toMatch(/last\nlater\n$/)
})

test('4 MiB of lines wait, and later ones are dropped', async () => {
  const { fd, read } = openPipe()
  const output = openOutput(fd)
  for (let n = 0; n < 60; n++) output.write(LINE)
  const lines = Math.floor((4 * 1_024 * 1_024 + 65_536) / LINE.length)
  await expect.poll(read, OFTEN).toHaveLength(lines * LINE.length)
  output.write('later\n')
  await expect.poll(read, OFTEN).toBe(`${LINE.repeat(lines)}later\n`)
})

test('The end of the program waits a second for a reader that does not read', () => {
  const { fd, read } = openPipe()
  const output = openOutput(fd)
  output.write(LINE)
  output.flushSync()
  expect(read()).toHaveLength(65_536)
  output.flushSync()
  expect(read()).toBe(LINE)
})
