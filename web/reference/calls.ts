import { createListeners } from '../api/listeners.ts'

/** The call that the page has sent last. */
export interface Call {
  method: string
  path: string
  status: number
  /** The `X-Request-Id` of the response; null if the response has none. */
  request_id: string | null
}

let last: Call | undefined
const listeners = createListeners()

export const lastCall = (): Call | undefined => last

export function noteCall(call: Call): void {
  last = call
  listeners.tell()
}

/** Calls the listener after each call, until the returned function is called. */
export const onCall = listeners.listen

/** The page of a request in the request log. */
export const logAddress = (request_id: string): string => `/developers/requests?request_id=${request_id}`
