import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pairing } from './rounds.ts'

/** A pairing, and the database with its version. */
export interface Result extends Pairing {
  database: string
}

const FILE = join(import.meta.dirname, 'RESULTS.md')
const columns = [
  'work',
  'database',
  'floor req/s',
  'ours req/s',
  'ratio',
  'floor p50 / p99 ms',
  'ours p50 / p99 ms',
]

/** The results as a table in Markdown. */
export function tableOf(results: Result[]): string {
  const rows = results.map(({ work, database, floor, ours, ratio }) => [
    work,
    database,
    whole(floor.per_second),
    whole(ours.per_second),
    `${ratio.median.toFixed(2)} [${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}]`,
    `${floor.p50_ms.toFixed(2)} / ${floor.p99_ms.toFixed(1)}`,
    `${ours.p50_ms.toFixed(2)} / ${ours.p99_ms.toFixed(1)}`,
  ])
  const widths = columns.map((name, i) =>
    Math.max(name.length, ...rows.map((row) => (row[i] as string).length)),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] as number)).join(' | ')} |`
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US')

/** Puts the section of a subject into RESULTS.md; the sections of others stay. */
export function writeSection(subject: string, text: string): void {
  const [begin, end] = [`<!-- ${subject} -->`, `<!-- end of ${subject} -->`]
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '# Results\n'
  const section = `${begin}\n${text.trim()}\n${end}`
  const known = before.includes(begin)
  const after = known
    ? before.slice(0, before.indexOf(begin)) + section + before.slice(before.indexOf(end) + end.length)
    : `${before.trimEnd()}\n\n${section}\n`
  writeFileSync(FILE, after)
}
