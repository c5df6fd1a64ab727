import type { Context } from '../context.ts'
import { requestLogOf } from './list.ts'
import { searchRequests, WHOLE } from './search.ts'

/** The newest requests of a consent that are looked at. */
const MOST = 2_000

interface Use {
  at: number
  request_id: string
}

/** Whether an account records, and the first and last calls with each pair of a consent that are in its log. */
export async function tokenUses(
  ctx: Context,
  account_id: number,
  grant_id: string,
): Promise<{ is_recording: boolean; uses: Map<number, { first: Use; last: Use }> }> {
  const log = requestLogOf(ctx)
  const { is_on: is_recording } = log.settingOf(account_id)
  const uses = new Map<number, { first: Use; last: Use }>()
  if (!is_recording) return { is_recording, uses }
  await log.flush()
  const found = await searchRequests(log.store, account_id, { grant_id, direction: 'in' }, WHOLE, MOST)
  for (const { at, duration_ms, request_id, generation, operation, status } of found) {
    if (generation === null || status === null || status === 401 || operation.startsWith('oauth.')) continue
    const use = { at: Math.floor((at + duration_ms) / 1000), request_id }
    uses.set(generation, { first: use, last: uses.get(generation)?.last ?? use })
  }
  return { is_recording, uses }
}
