import { onOneLine, print } from './printable.ts'
import type { Options } from './run.ts'

/** The option of commands whose output scripts read (P8). */
export const jsonOption = { json: { description: 'print JSON' } }

/** Prints a result as JSON if the options say so, otherwise as lines for people. */
export function printResult({ json }: Options, result: unknown, lines: string[]): void {
  const text = json === undefined ? lines.map(onOneLine).join('\n') : JSON.stringify(result, null, 2)
  if (text !== '') print(`${text}\n`)
}

/** A line for each row, with columns that are as wide as their longest text. */
export function inColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** A line for each member that is not null: `client_id: …`. */
export const membersOf = (result: object): string[] =>
  Object.entries(result).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
