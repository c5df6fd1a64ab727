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

/** Callers that change records, each its own ones, so that every request is a change. `body` receives 0 and 1 by turns. */
export function changing(
  connections: number,
  pathOf: (record: number) => string,
  headers: Record<string, string>,
  body: (turn: number) => object,
): Caller[] {
  const RECORDS = 4
  return Array.from({ length: connections }, (_, connection) => {
    const ready = [0, 1].flatMap((turn) =>
      Array.from({ length: RECORDS }, (_, i) =>
        requestBytes(pathOf(connection * RECORDS + i), headers, body(turn), 'PATCH'),
      ),
    )
    let n = 0
    return { next: () => ready[n++ % ready.length] as Buffer }
  })
}
