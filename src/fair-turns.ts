/**
 * One request must not hold the event loop while others wait. Long work asks between two steps whether its slice of time
 * is used up, and then waits until each of the others that wait has had a slice.
 */

/** Milliseconds of work after which others go first. */
const SLICE = 10

/** Work that waits for its next slice, in order. */
const waiting: (() => void)[] = []
/** When the current turn of the event loop began, as far as is known; undefined when nothing has asked in it. */
let began: number | undefined

/** Whether this turn of the event loop has used up its slice. */
function isOverdue(): boolean {
  const now = performance.now()
  if (began === undefined) {
    began = now
    setImmediate(() => {
      began = undefined
    })
  }
  return now - began >= SLICE
}

/** Waits for the next slice if this one is used up. Between two slices the event loop serves what has arrived. */
export function giveWay(): Promise<void> | undefined {
  if (!isOverdue()) return undefined
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(nextSlice)
  })
}

/** One slice in each turn of the event loop, however many wait. */
function nextSlice(): void {
  began = performance.now()
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(nextSlice)
}

/**
 * Says, for one piece of work, when to give way: not before that work has used up a slice itself, so that short work never
 * waits in the middle of what it does.
 */
export function createTurns(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < SLICE) return undefined
    return giveWay()?.then(() => {
      since = performance.now()
    })
  }
}

/**
 * Does work that pauses after each of its steps (`yield`): at once when one slice is enough, else in several, and then
 * its result is a promise.
 */
export function inSlices<Result>(
  work: Iterator<undefined, Result>,
  nextTurn = createTurns(),
): Result | Promise<Result> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const turn = nextTurn()
    if (turn) return turn.then(() => inSlices(work, nextTurn))
  }
}

/** Takes one step for each item, and lets others go on between them. */
export async function forEachFairly<Item>(
  items: Iterable<Item>,
  step: (item: Item, i: number) => void,
): Promise<void> {
  const nextTurn = createTurns()
  let i = 0
  for (const item of items) {
    step(item, i++)
    const turn = nextTurn()
    if (turn) await turn
  }
}

/** The items in parts of at most `size`, for statements that would hold the event loop as one. */
export function* inParts<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let part: Item[] = []
  for (const item of items) {
    part.push(item)
    if (part.length < size) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}
