import type { Tx } from '../db/database.ts'
import { type Access, findEntities, mayDo, newestNamed, newestWithKeys } from '../entities/entities.ts'
import type { RowPlan } from './row-drafts.ts'
import type { Surroundings } from './surroundings.ts'

/** Which records the rows are known to be already, by position; a row that names an id that is not there has a fault. */
export async function matchRows(
  tx: Tx,
  access: Access,
  plans: readonly RowPlan[],
  around: Surroundings,
): Promise<Map<number, number>> {
  const { match, action } = around.settings.duplicates
  const found = new Map<number, number>()
  if (action === 'add') return found
  if (match.includes('id')) await matchIds(tx, access, plans, around, found)
  for (const by of ['phone', 'email', 'site', 'name'] as const)
    if (match.includes(by)) await matchKeys(tx, access, plans, around, by, found)
  return found
}

async function matchIds(
  tx: Tx,
  access: Access,
  plans: readonly RowPlan[],
  { type, settings }: Surroundings,
  found: Map<number, number>,
): Promise<void> {
  const named = plans.filter(({ id }) => id !== null)
  if (named.length === 0) return
  const rows = await findEntities(
    tx,
    access.actor.account_id,
    type,
    named.map(({ id }) => id as number),
  )
  const there = new Set(
    rows.filter((row) => row.is_deleted === 0 && mayDo(access, 'view', row)).map(({ id }) => id),
  )
  for (const plan of named) {
    if (there.has(plan.id as number)) found.set(plan.position, plan.id as number)
    else
      plan.faults.push({
        column: settings.mapping.find(({ target }) => target === 'id')?.column ?? null,
        code: 'NotSupportedChoice',
        detail: 'There is no record of this id.',
      })
  }
}

const codes = { phone: 'PHONE', email: 'EMAIL', site: 'WEB' } as const

async function matchKeys(
  tx: Tx,
  access: Access,
  plans: readonly RowPlan[],
  { type, fields }: Surroundings,
  by: 'phone' | 'email' | 'site' | 'name',
  found: Map<number, number>,
): Promise<void> {
  const open = plans.filter(({ position }) => !found.has(position))
  const keys = open.flatMap((plan) => plan.keys[by] ?? [])
  const field = by === 'name' ? undefined : fields.byCode.get(codes[by])
  if (keys.length === 0 || (by !== 'name' && !field)) return
  const ids = field
    ? await newestWithKeys(tx, access, type, field.id, keys)
    : await newestNamed(tx, access, type, keys)
  for (const { position, keys: own } of open) {
    const id = (own[by] ?? []).map((key) => ids.get(key)).find((one) => one !== undefined)
    if (id !== undefined) found.set(position, id)
  }
}
