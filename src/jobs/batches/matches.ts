import { phoneKey, textKey } from '../../custom-fields/custom-fields.ts'
import type { Tx } from '../../db/database.ts'
import { type Access, can, findEntities, newestNamed, newestWithKeys } from '../../entities/entities.ts'
import { partsOf } from '../rows/cells.ts'
import type { ImportLookup } from '../rows/import-lookup.ts'
import type { MatchKey } from '../rows/import-settings.ts'
import type { RowPlan } from '../rows/row-drafts.ts'
import { rowFault } from '../rows/row-error-types.ts'
import { fieldOfTarget } from '../rows/targets.ts'

/** The existing records that rows match, by position. A row with an unknown id gets a fault. */
export async function matchRows(
  tx: Tx,
  access: Access,
  plans: readonly RowPlan[],
  lookup: ImportLookup,
): Promise<Map<number, number>> {
  const { match, action } = lookup.settings.duplicates
  const found = new Map<number, number>()
  if (action === 'add') return found
  if (match.includes('id')) await matchIds(tx, access, plans, lookup, found)
  for (const by of ['phone', 'email', 'site', 'name'] as const)
    if (match.includes(by)) await matchKeys(tx, access, plans, lookup, by, found)
  return found
}

async function matchIds(
  tx: Tx,
  access: Access,
  plans: readonly RowPlan[],
  { type, settings }: ImportLookup,
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
    rows.filter((row) => row.is_deleted === 0 && can(access, 'view', row)).map(({ id }) => id),
  )
  for (const plan of named) {
    const column = settings.mapping.find(({ target }) => target === 'id')?.column ?? null
    if (there.has(plan.id as number)) {
      found.set(plan.position, plan.id as number)
      plan.known = { by: 'id', column }
    } else plan.faults.push(rowFault('no_such_record', column))
  }
}

const codes = { phone: 'PHONE', email: 'EMAIL', site: 'WEB' } as const

async function matchKeys(
  tx: Tx,
  access: Access,
  plans: readonly RowPlan[],
  lookup: ImportLookup,
  by: 'phone' | 'email' | 'site' | 'name',
  found: Map<number, number>,
): Promise<void> {
  const { type, fields } = lookup
  const open = plans.filter(({ position }) => !found.has(position))
  const keys = open.flatMap((plan) => plan.keys[by] ?? [])
  const field = by === 'name' ? undefined : fields.byCode.get(codes[by])
  if (keys.length === 0 || (by !== 'name' && !field)) return
  const ids = field
    ? await newestWithKeys(tx, access, type, field.id, keys)
    : await newestNamed(tx, access, type, keys)
  for (const plan of open) {
    const key = plan.keys[by]?.find((one) => ids.has(one))
    if (key === undefined) continue
    found.set(plan.position, ids.get(key) as number)
    plan.known = { by, column: columnOf(plan, by, key, lookup) }
  }
}

const keysIn: Record<Exclude<MatchKey, 'id'>, (cell: string) => (string | null)[]> = {
  phone: (cell) => partsOf(cell).map(phoneKey),
  email: (cell) => partsOf(cell).map(textKey),
  site: (cell) => [textKey(cell)],
  name: (cell) => [cell],
}

/** The column with a key of a row. */
function columnOf(
  { cells }: RowPlan,
  by: Exclude<MatchKey, 'id'>,
  key: string,
  { settings, fields }: ImportLookup,
): number | null {
  const isWrittenInto = (target: string) =>
    by === 'name' ? target === 'name' : fieldOfTarget(target, fields)?.field.code === codes[by]
  const found = settings.mapping.find(
    ({ column, target }) => isWrittenInto(target) && keysIn[by](cells[column] ?? '').includes(key),
  )
  return found?.column ?? null
}
