import type { OldPosition } from '../db/old-rows.ts'
import type { KindName } from './kind-types.ts'

const DAY_SECONDS = 86_400

/** The Unix second from which rows are kept. */
export const keptSince = (now: number, days: number): number => now - days * DAY_SECONDS

/** Numbers of rows by kind, as a run stores them. */
export type Counts = Partial<Record<KindName, number>>

export const parseCounts = (text: string): Counts => JSON.parse(text)

export function withMore(text: string, kind: KindName, more: number): string {
  const counts = parseCounts(text)
  return more === 0 ? text : JSON.stringify({ ...counts, [kind]: (counts[kind] ?? 0) + more })
}

export const parsePosition = (text: string | null): OldPosition | null =>
  text === null ? null : JSON.parse(text)
