import type { ActingIntegration, ActingIntegrations, Context } from '../../context.ts'
import { idNamed, nameIn } from './handles.ts'
import { activeClient, clientsByNumber, findClient, installedClients } from './queries.ts'

/** The integrations that rows name by their numbers, as an account sees them (A18, Q33). Disabled ones keep their names. */
export const actingIntegrations: ActingIntegrations = {
  async find(ctx, account_id, named) {
    const numbers = [...new Set(named)].filter((number) => number !== null).sort((a, b) => a - b)
    if (numbers.length === 0) return NONE
    const rows = await clientsByNumber(ctx.db, { numbers })
    return new Map(rows.map((row) => [row.number, shown(ctx, account_id, row)]))
  },
  async list(ctx, account_id) {
    const rows = await installedClients(ctx.db, { account_id })
    return rows.map((row) => shown(ctx, account_id, row))
  },
  async numbersOf(ctx, names) {
    const clients = await Promise.all(
      names.map(async (name) => findClient(ctx.db, await idNamed(ctx, name.toLowerCase()))),
    )
    // An id and its handle name the same integration.
    return [...new Set(clients.flatMap((client) => client?.number ?? []))]
  },
  async isActive(ctx, account_id, number) {
    return (await activeClient(ctx.db, { account_id, number })).length > 0
  },
}

const NONE: ReadonlyMap<number, ActingIntegration> = new Map()

const shown = (
  ctx: Context,
  account_id: number,
  row: { id: string; account_id: number; name: string },
): ActingIntegration => ({ id: nameIn(ctx, account_id, row), name: row.name })
