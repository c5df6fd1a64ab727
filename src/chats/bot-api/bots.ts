import type { Actor } from '../../accounts/accounts.ts'
import type { Db } from '../../db/database.ts'
import type { ChatBotRow } from '../../db/tables.ts'
import { invalidChoice } from '../../errors.ts'
import { listOf, partsOf, type QueryValue } from '../../http/queries/bracket-query.ts'
import { numberOf } from '../../http/queries/query-values.ts'
import { listBotRows } from '../bot/bot-queries.ts'
import { hasIntents } from '../bot/intent-queries.ts'
import { type Bot, functionalities } from './bot-schemas.ts'

/** A bot and whether it has anything to say. */
export interface ReadBot {
  row: ChatBotRow
  is_active: boolean
}

/** The bots of the account that a filter selects. */
export async function listBots(
  db: Db,
  { account_id }: Pick<Actor, 'account_id'>,
  filter?: QueryValue,
): Promise<ReadBot[]> {
  const { id, type_functionality } = partsOf(filter)
  const ids = listOf(id).map((text) => numberOf('filter.id', text))
  const kinds = listOf(type_functionality)
  if (kinds.some((kind) => !(functionalities as readonly string[]).includes(kind)))
    throw invalidChoice('filter.type_functionality', functionalities)
  if (kinds.length > 0 && !kinds.includes('regular')) return []
  const rows = (await listBotRows(db, account_id)).filter((row) => ids.length === 0 || ids.includes(row.id))
  if (rows.length === 0) return []
  const canAnswer = await hasIntents(db, account_id)
  return rows.map((row) => ({ row, is_active: canAnswer || row.greeting.trim() !== '' }))
}

/** A bot with its members in the platform's order. */
export const botView = ({ row, is_active }: ReadBot): Bot => ({
  id: row.id,
  name: row.name,
  type_functionality: 'regular',
  can_interrupt: false,
  type: 2,
  settings: {
    silent: false,
    active: is_active,
    is_sandbox: false,
    is_broadcast_sandbox: false,
    readonly: false,
  },
  greeting: row.greeting,
})
