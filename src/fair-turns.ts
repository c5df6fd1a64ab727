/**
 * No request can block the event loop while others wait. Between two steps, long work checks whether its time slice
 * is used up. If so, it waits until short work has had its share of the time, and each other waiting piece of long work
 * a slice.
 */

/** The length of a time slice in milliseconds. */
const SLICE = 3
/** Before the next slice, other work gets this many times the time of the last one, if it needs it. */
const SHARE_OF_OTHERS = 8
/** The same while something waits for what long work holds: each slice then brings it nearer. */
const SHARE_WHILE_HELD_UP = 1
/** A turn of the event loop below this many milliseconds served nobody. */
const NOTHING = 0.05
/**
 * If somebody was served and nobody is now, the next slice begins after a pause of at least this many milliseconds: clients
 * may be about to ask again. The event loop sleeps meanwhile.
 */
const PAUSE = 1
/** A pause in which the event loop sleeps for less than this part of the time serves somebody. */
const QUIET = 0.75

/** Say whether something waits for what long work holds, such as transactions for the writing handle. */
export const heldUp = new Set<() => boolean>()

/** Work that waits for its next slice, in order. */
const waiting: (() => void)[] = []
/** When the current turn of the event loop began; undefined until something checks the slice in this turn. */
let began: number | undefined
/** The milliseconds of the last slice, and those that other work has had since then. */
let used = 0
let shared = 0
/** When the last turn ended, and how long the event loop had slept until then. */
let ended = 0
let slept = 0
/** Whether somebody was served since the slice, and whether the last turn ended with a pause. */
let hasServed = false
let isPaused = false

/** Whether this turn of the event loop has used up its slice. */
function isOverdue(): boolean {
  if (began === undefined) beginTurn()
  return performance.now() - (began as number) >= SLICE
}

function beginTurn(): void {
  began = performance.now()
  setImmediate(() => {
    began = undefined
  })
}

/** Waits for the next slice if this one is used up. The event loop serves other events between two slices. */
export function giveWay(): Promise<void> | undefined {
  if (!isOverdue()) return undefined
  return new Promise((resolve) => {
    waiting.push(resolve)
    endSlice()
    if (waiting.length === 1) setImmediate(nextSlice)
  })
}

function endSlice(): void {
  endTurn()
  used = ended - (began as number)
  shared = 0
  hasServed = false
  isPaused = false
}

/** Returns the milliseconds since the end of the last turn in which the event loop ran, and in which it slept. */
function endTurn(): { ran: number; asleep: number } {
  const now = performance.now()
  const { idleTime } = performance.nodeTiming
  const asleep = idleTime - slept
  const ran = now - ended - asleep
  ended = now
  slept = idleTime
  return { ran, asleep }
}

/** Starts a slice when the others have had their time, or need none. However many wait, a turn has one slice. */
function nextSlice(): void {
  const { ran, asleep } = endTurn()
  const isQuiet = ran < NOTHING || asleep > (ran + asleep) * QUIET
  if (!isQuiet) {
    shared += ran
    hasServed = true
  }
  const isIdle = isQuiet && (isPaused || !hasServed)
  if (isIdle || shared >= shareOfOthers() * used) {
    beginTurn()
    waiting.shift()?.()
    // Without another call of giveWay, the slice ends with this turn.
    endSlice()
    if (waiting.length > 0) setImmediate(nextSlice)
    return
  }
  isPaused = isQuiet
  if (isPaused) setTimeout(nextSlice, PAUSE)
  else setImmediate(nextSlice)
}

function shareOfOthers(): number {
  for (const isHeldUp of heldUp) if (isHeldUp()) return SHARE_WHILE_HELD_UP
  return SHARE_OF_OTHERS
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
  // One item is no long work, and most requests write one.
  if (Array.isArray(items) && items.length < 2) return items.forEach(step)
  const nextTurn = createTurns()
  let i = 0
  for (const item of items) {
    step(item, i++)
    const turn = nextTurn()
    if (turn) await turn
  }
}

/** Splits the items into parts of at most `size`, for statements that would otherwise block the event loop. */
export function* inParts<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[]> {
  if (Array.isArray(items) && items.length > 0 && items.length <= size) {
    yield items
    return
  }
  let part: Item[] = []
  for (const item of items) {
    part.push(item)
    if (part.length < size) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}
