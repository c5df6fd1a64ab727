/** A row whose id rises with the time when it was written, in Unix seconds. */
export interface Timed {
  id: number
  created_at: number
}

/**
 * The greatest id of the rows that were written before a time; 0 if there is none. `after` reads the first row after an
 * id, so this is some look-ups of a primary key instead of an index on the time.
 */
export async function lastIdBefore(
  time: number,
  newest: number,
  after: (id: number) => Promise<Timed | undefined>,
): Promise<number> {
  let [low, high] = [0, newest]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const next = await after(middle)
    if (!next || next.created_at >= time) high = middle
    else low = next.id
  }
  return low
}

/** A part of time in Unix milliseconds, and the causes whose rows are looked for in it, by their `request_id`. */
export interface CausedIn {
  account_id: number
  names: readonly string[]
  from: number
  to: number
}

/** Rows that were found, and whether rows were left out because too many had to be read. */
export interface Found<T> {
  rows: T[]
  is_cut: boolean
}
