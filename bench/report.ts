import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Subject, subjects } from './profile.ts'
import type { Options, Pairing, Spread, Summary } from './rounds.ts'

/** A pairing with its database and version. */
export interface Result extends Pairing {
  database: string
}

const FILE = join(import.meta.dirname, 'RESULTS.md')

/** A printed table: the names of its columns, and a text for each. */
export interface Table {
  columns: string[]
  rows: string[][]
}

export type Column<Row> = [name: string, cell: (row: Row) => string]

export const tableOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Table => ({
  columns: columns.map(([name]) => name),
  rows: rows.map((row) => columns.map(([, cell]) => cell(row))),
})

/** The CPU time of each request, in microseconds, and the ratios by it. */
export const cpuColumns: Column<Pick<Pairing, 'floor' | 'ours' | 'cpu_ratio' | 'total_ratio'>>[] = [
  ['floor CPU µs', ({ floor }) => cpuTime(floor)],
  ['ours CPU µs', ({ ours }) => cpuTime(ours)],
  ['ratio by CPU', ({ cpu_ratio }) => spread(cpu_ratio)],
  ['with the database', ({ ours, total_ratio }) => (ours.cpu.database > 0 ? spread(total_ratio) : '')],
]

export const pairingColumns: Column<Result>[] = [
  ['work', ({ work }) => work],
  ['database', ({ database }) => database],
  ['floor req/s', ({ floor }) => whole(floor.per_second)],
  ['ours req/s', ({ ours }) => whole(ours.per_second)],
  ['ratio', ({ ratio }) => spread(ratio)],
  ...cpuColumns,
  ['floor p50 / p99 ms', ({ floor }) => latency(floor)],
  ['ours p50 / p99 ms', ({ ours }) => latency(ours)],
]

/** The columns that a table of profiles keeps. */
const beforeProfiles = ['work', 'database', 'events', 'floor CPU µs', 'ours CPU µs']

/** With profiles, the CPU time of each request by subject follows, in microseconds, as `floor / ours`. */
export const columnsFor = <Row extends Pick<Pairing, 'floor' | 'ours'>>(
  columns: readonly Column<Row>[],
  { profile }: Pick<Options, 'profile'>,
): readonly Column<Row>[] => {
  if (!profile) return columns
  const timeOf = (subject: Subject) => (summary: Summary) =>
    summary.shares ? whole(summary.shares[subject] * summary.cpu.server) : '–'
  const bySubject = subjects.map(
    (subject): Column<Row> => [subject, ({ floor, ours }) => [floor, ours].map(timeOf(subject)).join(' / ')],
  )
  return [...columns.filter(([name]) => beforeProfiles.includes(name)), ...bySubject]
}

const WIDEST = 80

/** The table in Markdown. */
export function markdownOf({ columns, rows }: Table): string {
  // Long texts are not padded.
  const widths = columns.map((name, i) =>
    Math.min(WIDEST, Math.max(name.length, ...rows.map((row) => (row[i] as string).length))),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] as number)).join(' | ')} |`
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

export const spread = ({ median, min, max }: Spread): string =>
  `${median.toFixed(2)} [${min.toFixed(2)}–${max.toFixed(2)}]`
export const latency = ({ p50_ms, p99_ms }: Summary): string => `${p50_ms.toFixed(2)} / ${p99_ms.toFixed(1)}`
export const cpuTime = ({ cpu: { server, database } }: Summary): string =>
  database > 0 ? `${whole(server)} + ${whole(database)}` : whole(server)
export const whole = (value: number) => Math.round(value).toLocaleString('en-US')

/** Replaces the section of a subject in RESULTS.md and keeps the others. */
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
