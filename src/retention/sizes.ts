import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { type DatabaseSize, measureDatabase } from '../db/sizes.ts'
import type { Tables } from '../db/tables.ts'
import { type SizeGroup, tableGroups } from './size-groups.ts'

/** Seconds for which a measurement is used. Measuring reads the whole embedded database. */
const FRESH_SECONDS = 6 * 3_600

interface Measured extends DatabaseSize {
  at: number
}

/** The last measurement of each database, and the one in progress. */
const measured = new WeakMap<Db, Measured>()
const measuring = new WeakMap<Db, Promise<Measured>>()

/** The sizes of the tables, at most some hours old. Processes that ask at the same time wait for one measurement. */
export function databaseSize(ctx: Context): Measured | Promise<Measured> {
  const last = measured.get(ctx.db)
  return last && ctx.now() - last.at < FRESH_SECONDS ? last : measureNow(ctx)
}

/** Measures again, or waits for the measurement in progress. */
function measureNow(ctx: Context): Promise<Measured> {
  const running = measuring.get(ctx.db)
  if (running) return running
  const work = measureDatabase(ctx.db)
    .then((size) => {
      const now = { ...size, at: ctx.now() }
      measured.set(ctx.db, now)
      return now
    })
    .finally(() => measuring.delete(ctx.db))
  measuring.set(ctx.db, work)
  return work
}

/** The mean size of a row of the first table, with what belongs to it in the others. */
export async function meanBytes(
  ctx: Context,
  [first, ...others]: readonly [keyof Tables, ...(keyof Tables)[]],
): Promise<number> {
  const { tables } = await databaseSize(ctx)
  const sizes = new Map(tables.map((table) => [table.name, table]))
  const rows = sizes.get(first)?.rows ?? 0
  const bytes = [first, ...others].reduce((sum, name) => sum + (sizes.get(name)?.bytes ?? 0), 0)
  return rows > 0 ? bytes / rows : 0
}

/** The tables in groups that people understand: each group with its bytes and the rows of its first table. */
export interface GroupSize {
  group: SizeGroup
  bytes: number
  rows: number
}

/** The groups of all tables, the largest first. */
export function groupSizes({ tables }: DatabaseSize): GroupSize[] {
  const groups = new Map<SizeGroup, GroupSize>()
  for (const { name, bytes, rows } of tables) {
    const { group, is_counted } = tableGroups[name] ?? { group: 'other', is_counted: false }
    const sum = groups.get(group) ?? { group, bytes: 0, rows: 0 }
    groups.set(group, { group, bytes: sum.bytes + bytes, rows: sum.rows + (is_counted ? rows : 0) })
  }
  return [...groups.values()].sort((a, b) => b.bytes - a.bytes)
}

/** The measurements that the metrics show: those of the process that does the upkeep, so that none is counted twice. */
const reported = new WeakMap<Db, Measured>()

/** Shows sizes in the metrics; a periodic task. */
export async function reportSizes(ctx: Context): Promise<void> {
  reported.set(ctx.db, await databaseSize(ctx))
}

/** Bytes and rows by table, for the metrics; nothing before the first report. */
export function tableFigures(ctx: Context, figure: 'bytes' | 'rows'): Record<string, number> {
  const tables = reported.get(ctx.db)?.tables ?? []
  return Object.fromEntries(tables.map((table) => [table.name, table[figure]]))
}

/** Bytes of the whole database by state, for the metrics. */
export function wholeFigures(ctx: Context): Record<string, number> {
  const size = reported.get(ctx.db)
  return size ? { used: size.bytes - size.free_bytes, free: size.free_bytes } : {}
}
