import { type Caller, requestBytes } from './load.ts'

/** For bearer calls and other short requests. */
export const CONNECTIONS = 16
/** For batches and pages, which need few callers to use the full capacity. */
export const FEW = 4

/** Callers that repeat one request. */
export function asking(connections: number, path: string, headers: Record<string, string>): Caller[] {
  const request = requestBytes(path, headers)
  return Array.from({ length: connections }, () => ({ next: () => request }))
}

/** Callers with prepared bodies, so that creating them is not measured. */
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
