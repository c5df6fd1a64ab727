import type { Db } from './database.ts'

/** The connections to the database, as they are at this moment. */
export interface PoolState {
  open: number
  idle: number
  /** Transactions and statements that wait for a connection. */
  waiting: number
}

/** Tells of each open database how its connections are. Reading it costs nothing. */
export const pools = new WeakMap<Db, () => PoolState>()
