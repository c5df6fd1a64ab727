import type { Context } from '../src/context.ts'
import { traces } from './records.ts'

/** A customer's text as the specification's payload. `change` overrides its members. */
export const textPush = (msgid: string, change: object = {}) => ({
  timestamp: 1_772_366_000,
  msgid,
  conversation_id: 'c-1',
  sender: customer(),
  message: { type: 'text', text: 'Is it still there?' },
  ...change,
})

/** A sender, with a `profile` if the test needs one. */
export const customer = (change: object = {}) => ({
  id: 's-1',
  name: 'Sue Brook',
  avatar: 'https://cdn.example/sue.png',
  ...change,
})

/** The number of rows in each table of records and chats. A refused push must not change it. */
export async function chatTraces(ctx: Context): Promise<Record<string, number>> {
  const tables = ['chat_senders', 'conversations', 'talks', 'chat_messages', 'deliveries'] as const
  const counts = await Promise.all(
    tables.map(async (table) => {
      const rows = await ctx.db.selectFrom(table).select('account_id').execute()
      return [table, rows.length] as const
    }),
  )
  return { ...(await traces(ctx)), ...Object.fromEntries(counts) }
}

/** The stored messages of an account, in the order of their threads. */
export const storedMessages = (ctx: Context) =>
  ctx.db.selectFrom('chat_messages').selectAll().orderBy('conversation_id').orderBy('position').execute()

/** Closes the talk of every conversation, as a person would. */
export async function closeTalks(ctx: Context): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await tx.updateTable('talks').set({ closed_at: ctx.now() }).where('closed_at', 'is', null).execute()
    await tx.updateTable('conversations').set({ is_in_work: 0 }).execute()
  })
}
