/** The call that the page has sent last. */
export interface Call {
  method: string
  path: string
  status: number
  /** The `X-Request-Id` of the response; null if the response has none. */
  request_id: string | null
}

let last: Call | undefined
const listeners = new Set<() => void>()

export const lastCall = (): Call | undefined => last

export function noteCall(call: Call): void {
  last = call
  for (const listener of listeners) listener()
}

/** Calls the listener after each call, until the returned function is called. */
export function onCall(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The page of a request in the request log. */
export const logAddress = (request_id: string): string => `/developers/requests?request_id=${request_id}`
