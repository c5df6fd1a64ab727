import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { touchInstallation } from './queries.ts'

/** An installation's last use by a bearer call that this process has not written yet. */
interface Use {
  account_id: number
  integration_id: string
  at: number
}

type Place = Pick<Use, 'account_id' | 'integration_id'>

/** The unwritten uses, per database. */
const uses = new WeakMap<Db, Map<string, Use>>()

function usesOf({ db }: Context): Map<string, Use> {
  const known = uses.get(db)
  if (known) return known
  const none = new Map<string, Use>()
  uses.set(db, none)
  return none
}

const keyOf = ({ account_id, integration_id }: Place): string => `${account_id} ${integration_id}`

/** Records a use in memory. A write per call would cost more than the call. */
export function noteUse(ctx: Context, { account_id, integration_id }: Place, at: number): void {
  usesOf(ctx).set(keyOf({ account_id, integration_id }), { account_id, integration_id, at })
}

/** The last use in Unix seconds, stored or in memory; null if there is none. */
export function lastUse(ctx: Context, row: Place & { last_used_at: number | null }): number | null {
  const noted = usesOf(ctx).get(keyOf(row))
  return noted ? Math.max(noted.at, row.last_used_at ?? 0) : row.last_used_at
}

/** Writes the recorded uses, once a minute and at shutdown. If that fails, they are kept for the next time. */
export async function writeUses(ctx: Context): Promise<void> {
  const noted = usesOf(ctx)
  if (noted.size === 0) return
  const written = [...noted]
  await ctx.db.transaction().execute(async (tx) => {
    for (const [, use] of written) await touchInstallation(tx, use)
  })
  for (const [key, use] of written) if (noted.get(key) === use) noted.delete(key)
}
