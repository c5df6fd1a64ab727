import { createHash, randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { ulidTime } from '../db/ulids.ts'

/**
 * The id of a request is a UUID of version 7: it begins with its milliseconds (Q8). The rows that the request writes have
 * ids or times of the same moment, so they are found without an index on `request_id`. The time is that of the ids of
 * events, which does not go back with the clock.
 */
export function newRequestId(ctx: Pick<Context, 'clock'>): string {
  const random = randomUUID()
  const time = ulidTime(ctx).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether a text is the id of a request, of this or an earlier version. */
export const isRequestId = (id: string): boolean => UUID.test(id)

/** When the request began, in Unix milliseconds; null if the id does not say it: earlier versions made random ids. */
export function timeOfRequest(id: string): number | null {
  if (UUID.exec(id)?.[1] !== '7') return null
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** The trace of a request that continues no other: 32 digits. */
export const traceIdOf = (request_id: string): string => request_id.replaceAll('-', '')

/** The span of a request, or of a run or a job by its name: 16 digits. The same in each process, so it is not stored. */
export const spanIdOf = (request_id: string): string =>
  isRequestId(request_id)
    ? request_id.slice(19, 23) + request_id.slice(24)
    : createHash('sha256').update(request_id).digest('hex').slice(0, 16)
