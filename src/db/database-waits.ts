import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Tracks whether a piece of work, such as a request, has waited only for the database since it last checked for
 * changes of others. As long as it has, it does not check again: it is concurrent to every change that was committed since.
 * After any other wait (for a client, a timer, another request) and after a commit of its own, it checks again.
 */
interface Work {
  /** The cache that was checked. */
  checked: object | undefined
  /** The event of the event loop up to which it has waited for nothing but the database. */
  event: object | undefined
}

const works = new AsyncLocalStorage<Work>()

let event: object | undefined

/** The current event of the event loop, such as the arrival of an answer, with the promises that it settles. */
function currentEvent(): object {
  if (!event) {
    event = {}
    process.nextTick(endEvent)
  }
  return event
}

function endEvent(): void {
  event = undefined
}

/** Runs a piece of work, with everything that it starts. */
export const asOneWork = <T>(run: () => T): T => works.run({ checked: undefined, event: undefined }, run)

/** The work that runs now, if it has waited for nothing but the database since it checked. */
function unbroken(): Work | undefined {
  const work = works.getStore()
  return work?.event !== undefined && work.event === currentEvent() ? work : undefined
}

/** Whether the work that runs now has checked `source` and waited for nothing but the database since. */
export const hasChecked = (source: object): boolean => unbroken()?.checked === source

/** Records that the work that runs now has checked `source`. */
export function markChecked(source: object): void {
  const work = works.getStore()
  if (!work) return
  work.checked = source
  work.event = currentEvent()
}

/** The work that runs now must check again: it has changed something, or verifies again that it may go on. */
export function checkAgain(): void {
  const work = works.getStore()
  if (work) work.event = undefined
}

/** Waits for the database. */
export async function waitForDatabase<T>(wait: () => Promise<T>): Promise<T> {
  const work = unbroken()
  const result = await wait()
  if (work) work.event = currentEvent()
  return result
}
