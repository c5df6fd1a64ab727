/** The milliseconds for which ids are collected, and the most ids of one request. */
const GATHER = 8
const MOST = 100

/**
 * Reads the ids that rows of a list request at almost the same time with one request. Null: the record is deleted or
 * hidden from the reader.
 */
export function batchIds<Id extends number | string, Item>(
  read: (ids: Id[]) => Promise<Item[]>,
  idOf: (item: Item) => Id,
): (id: Id) => Promise<Item | null> {
  let waiting = new Map<Id, PromiseWithResolvers<Item | null>>()
  const answer = async (asked: typeof waiting) => {
    try {
      const found = new Map((await read([...asked.keys()])).map((item) => [idOf(item), item]))
      for (const [id, { resolve }] of asked) resolve(found.get(id) ?? null)
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    }
  }
  const flush = () => {
    const all = [...waiting]
    waiting = new Map()
    for (let at = 0; at < all.length; at += MOST) answer(new Map(all.slice(at, at + MOST)))
  }
  return (id) => {
    if (waiting.size === 0) setTimeout(flush, GATHER)
    const asked = waiting.get(id) ?? Promise.withResolvers<Item | null>()
    waiting.set(id, asked)
    return asked.promise
  }
}
