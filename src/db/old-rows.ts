import type { Db, Tx } from './database.ts'

/**
 * Old rows of one kind that an account can have deleted by age. A slice describes its own rows in this form; `retention/`
 * counts and deletes them in windows, so that no statement reads more than a window.
 */
export interface OldRows<Key> {
  /** Reads a window, from the oldest row on. It changes nothing. */
  find(db: Db, window: OldWindow): Promise<OldPage<Key>>
  /**
   * Deletes found rows of a window with what belongs to them, except those that have changed since. Returns how many it
   * has deleted.
   */
  remove(tx: Tx, window: Pick<OldWindow, 'account_id' | 'before'>, keys: readonly Key[]): Promise<number>
}

export interface OldWindow {
  account_id: number
  /** Rows of this Unix second and later are not old. */
  before: number
  /** The position at which the previous window ended; null for the first one. */
  after: OldPosition | null
  /** The most rows that are read. */
  limit: number
}

/** The end of a window, in the order of the kind. */
export type OldPosition = readonly (string | number)[]

export interface OldPage<Key> {
  /** The rows that can be deleted. */
  keys: Key[]
  /** The number of old rows that must stay, because others need them. */
  kept: number
  /** The time of the oldest row that can be deleted, in Unix seconds. */
  oldest: number | null
  /** The end of this window; null if no old row follows. */
  next: OldPosition | null
}

interface Found<Key> {
  key: Key
  at: number
  /** Whether it has to stay. */
  stays: boolean
  position: OldPosition
}

/** The page of the found rows of a window. A window with fewer rows than its limit is the last one. */
export function oldPage<Key>(found: readonly Found<Key>[], limit: number): OldPage<Key> {
  const old = found.filter(({ stays }) => !stays)
  return {
    keys: old.map(({ key }) => key),
    kept: found.length - old.length,
    oldest: old.reduce<number | null>((least, { at }) => (least === null || at < least ? at : least), null),
    next: found.length < limit ? null : (found.at(-1)?.position ?? null),
  }
}
