import { type Caller, requestBytes } from './load.ts'

/** Calls with a bearer token and many answers at once. */
export const CONNECTIONS = 16
/** Batches and pages keep the server busy with few callers. */
export const FEW = 4

/** So many callers that ask for the same, again and again. */
export function asking(connections: number, path: string, headers: Record<string, string>): Caller[] {
  const request = requestBytes(path, headers)
  return Array.from({ length: connections }, () => ({ next: () => request }))
}

/** Bodies are made before they are asked for, so that making them is no part of what is measured. */
export function sending(
  connections: number,
  path: string,
  headers: Record<string, string>,
  body: (n: number) => object,
): Caller[] {
  const ready = Array.from({ length: 64 }, (_, n) => requestBytes(path, headers, body(n)))
  return Array.from({ length: connections }, (_, connection) => {
    let n = connection
    return { next: () => ready[n++ % ready.length] as Buffer }
  })
}
