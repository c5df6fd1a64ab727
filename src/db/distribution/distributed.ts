import { PostgresAdapter } from 'kysely'
import type { Db } from '../database.ts'
import { placements } from './distribution.ts'

/** Knows whether the tables of a PostgreSQL database are on several servers. All handles of a database share it. */
export class SpreadAdapter extends PostgresAdapter {
  isDistributed = false
}

/** Whether the tables of the database are on several servers. `readDistribution` finds it out at the start. */
export function isDistributed(db: Db): boolean {
  const { adapter } = db.getExecutor()
  return adapter instanceof SpreadAdapter && adapter.isDistributed
}

/** Notes whether the tables of the database are on several servers. */
export function noteDistribution(db: Db, isDistributed: boolean): void {
  const { adapter } = db.getExecutor()
  if (adapter instanceof SpreadAdapter) adapter.isDistributed = isDistributed
}

const TABLE_NAME = /\b(?:from|join|into|update) "?(\w+)"?/g

/** Whether each statement names a distributed table, by its text. The texts are few, because only prepared ones are asked for. */
const known = new Map<string, boolean>()

/**
 * Whether a prepared statement names a distributed table. Statements with this difference are not sent as one: their parts
 * would be carried out apart, with snapshots of their own.
 */
export function namesDistributed(sql: string): boolean {
  let answer = known.get(sql)
  if (answer === undefined) {
    const names = [...sql.matchAll(TABLE_NAME)].map(([, name]) => name as keyof typeof placements)
    answer = names.some((name) => placements[name] === 'distributed')
    known.set(sql, answer)
  }
  return answer
}
