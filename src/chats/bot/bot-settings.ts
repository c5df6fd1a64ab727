import { type Actor, auditAs, lockAccount, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { nextId } from '../../db/dialect.ts'
import type { AccountRow, ChatBotRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { insertBot, listBotRows, replaceBot } from './bot-queries.ts'

const names: Record<string, string> = {
  es: 'Bot de respuestas',
  pt: 'Robô de respostas',
  ru: 'Чат-бот',
}

/** Adds the reply bot of a new account (C18). */
export async function seedBot(ctx: Context, tx: Tx, { id, language }: AccountRow): Promise<void> {
  if ((await listBotRows(tx, id)).length > 0) return
  const now = ctx.now()
  await insertBot(tx, {
    account_id: id,
    id: await nextId(tx, 'chat_bots'),
    name: names[language] ?? 'Reply bot',
    greeting: '',
    created_at: now,
    updated_at: now,
    updated_by: 0,
  })
}

/** Changes the name and the greeting of a bot. */
export async function changeBot(
  ctx: Context,
  actor: Actor,
  id: number,
  { name, greeting }: Partial<Pick<ChatBotRow, 'name' | 'greeting'>>,
): Promise<ChatBotRow> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    const before = (await listBotRows(tx, actor.account_id)).find((bot) => bot.id === id)
    if (!before) throw new Refusal('not_found', 'There is no such bot in this account.')
    const row = { ...before, name: name ?? before.name, greeting: greeting ?? before.greeting }
    const changed = (['name', 'greeting'] as const).filter((member) => row[member] !== before[member])
    if (changed.length === 0) return before
    Object.assign(row, { updated_at: ctx.now(), updated_by: actor.user_id })
    await replaceBot(tx, row)
    await auditAs(ctx, tx, actor, 'bot.changed', { id, name: row.name, changed })
    return row
  })
}
