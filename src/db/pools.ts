import type { Db } from './database.ts'

/** The current state of the database connections. */
export interface PoolState {
  open: number
  idle: number
  /** Transactions and statements that wait for a connection. */
  waiting: number
}

/** Reports the connection state of each open database, at no cost. */
export const pools = new WeakMap<Db, () => PoolState>()
