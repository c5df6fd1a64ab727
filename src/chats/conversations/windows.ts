import { setImmediate } from 'node:timers/promises'

/** Windows are short, because the embedded database runs nothing else meanwhile. */
const FIRST_WINDOW = 1_000
const LAST_WINDOW = 10_000

/** A list of which the reader may see a part. `Place` is where a window of its rows begins. */
interface Source<Row, Place> {
  /** The first visible rows of a window. */
  read(from: Place, window: number, limit: number): Promise<Row[]>
  /** The place after a window; undefined if the list ends in it. */
  after(from: Place, window: number): Promise<Place | undefined>
}

/** Fills a page even if few of the scanned rows are visible. */
export async function readInWindows<Row, Place>(
  from: Place,
  { limit, offset }: { limit: number; offset: number },
  { read, after }: Source<Row, Place>,
): Promise<Row[]> {
  const rows: Row[] = []
  let skip = offset
  let at = from
  for (let window = FIRST_WINDOW; ; window = Math.min(window * 4, LAST_WINDOW)) {
    const found = await read(at, window, skip + limit - rows.length)
    rows.push(...found.slice(skip))
    skip = Math.max(0, skip - found.length)
    if (rows.length === limit) return rows
    const next = await after(at, window)
    if (next === undefined) return rows
    at = next
    await setImmediate()
  }
}
