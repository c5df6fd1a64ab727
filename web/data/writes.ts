/**
 * A row that a page has written comes twice: as the answer of the write, and by the live stream, which may be the faster
 * one. As long as the answer is not there, nothing is read where the row will stand; so whatever is read holds only rows
 * of which it is known whether they are still drawn as being on their way.
 */

const underWay = new Map<string, Promise<unknown>>()
/** The ids of what was written, by the keys it was written under; as many as somebody writes in one visit. */
const given = new Map<string, string | number>()

/** Lets readers of a place wait for the answer of a write; to one place one write goes out after the other. */
export async function watchWrite<Answer>(
  place: string,
  key: string,
  write: Promise<Answer>,
  idOf: (answer: Answer) => string | number | undefined,
): Promise<Answer> {
  underWay.set(place, write)
  try {
    const answer = await write
    const id = idOf(answer)
    if (id !== undefined) given.set(key, id)
    return answer
  } finally {
    if (underWay.get(place) === write) underWay.delete(place)
  }
}

/** Ends when the write to this place that is under way was answered, however. */
export const writeAnswered = async (place: string): Promise<void> => {
  await underWay.get(place)?.catch(() => {})
}

/** The id that the server gave to what was written under a key, once it has answered. */
export const idGiven = (key: string): string | number | undefined => given.get(key)
