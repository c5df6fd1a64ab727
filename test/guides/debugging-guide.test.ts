import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runningDemo } from '../fixtures/demo.ts'

const guide = readFileSync(new URL('../../docs/debugging-an-integration.md', import.meta.url), 'utf8')

/** The blocks of commands, and of the lines that they print, in their order. */
const blocks = [...guide.matchAll(/^```(sh|text)\n([\s\S]*?)^```$/gm)].map(([, kind, text]) => ({
  kind: kind as 'sh' | 'text',
  text: text as string,
}))

/** Matches a line of the guide. `…` stands for what differs each time. */
const pattern = (line: string) =>
  new RegExp(
    line
      .split('…')
      .map((words) => words.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('.*'),
  )

const MARK = '==== block '
/** The tests run the build itself, and not through npm. */
const COMMAND = `patchbay() { '${process.execPath}' dist/server/main.js "$@"; }`

test('the commands of the guide for debugging find what it says', async () => {
  const { DATA_DIR } = await runningDemo()
  const script = blocks.flatMap(({ kind, text }, i) =>
    kind === 'sh' ? [`echo; echo '${MARK}${i}'`, text, i === 0 ? COMMAND : ''] : [],
  )
  const { stdout, stderr } = await promisify(execFile)(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', script.join('\n')],
    {
      cwd: new URL('../..', import.meta.url),
      env: { DATA_DIR, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
    },
  )
  const printed = new Map(
    stdout
      .split(MARK)
      .slice(1)
      .map((text): [number, string] => [Number.parseInt(text, 10), text]),
  )
  const expected = blocks.flatMap(({ kind, text }, i) =>
    kind === 'text'
      ? text
          .trim()
          .split('\n')
          .map((line): [number, string] => [i - 1, line])
      : [],
  )
  expect(expected.length).toBeGreaterThan(8)
  for (const [i, line] of expected) expect(printed.get(i) ?? '').toMatch(pattern(line))
  expect(stderr).toBe('')
}, 240_000)
