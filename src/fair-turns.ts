/**
 * No request can block the event loop while others wait. Between two steps, long work checks whether its time slice
 * is used up, and if so waits until each other waiting piece of work has had a slice.
 */

/** The length of a time slice in milliseconds. */
const SLICE = 10

/** Work that waits for its next slice, in order. */
const waiting: (() => void)[] = []
/** When the current turn of the event loop began; undefined until something checks the slice in this turn. */
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

/** Waits for the next slice if this one is used up. The event loop serves other events between two slices. */
export function giveWay(): Promise<void> | undefined {
  if (!isOverdue()) return undefined
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(nextSlice)
  })
}

/** Starts one slice in each turn of the event loop, however many wait. */
function nextSlice(): void {
  began = performance.now()
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(nextSlice)
}

/**
 * Creates the check for one piece of work. It yields only after that work has used a full slice itself, so that
 * short work is never interrupted.
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
 * Runs work that pauses after each step (`yield`). Returns the result directly if one slice is enough; otherwise
 * returns a promise.
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

/** Calls the function for each item, and yields to other work in between. */
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

/** Splits the items into parts of at most `size`, for statements that would otherwise block the event loop. */
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
