import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import type { Chat } from './chats.ts'
import { readChat } from './messages.ts'
import { queryClient } from './query-client.ts'

export type Bot = Schemas['Bot']

/** The reply bot of the account. */
export const botOptions = queryOptions({
  queryKey: ['bots'],
  queryFn: async () => (await readRows(api.GET('/web/v4/bots'), ({ items }) => items))[0] ?? null,
  staleTime: 60_000,
})

export const refreshBot = () => queryClient.invalidateQueries({ queryKey: botOptions.queryKey })

export const saveBot = mutationOptions({
  mutationFn: ({ id, ...body }: Pick<Bot, 'id'> & Partial<Pick<Bot, 'name' | 'greeting'>>) =>
    api.PATCH('/web/v4/bots/{id}', { params: { path: { id } }, body }),
  onSuccess: refreshBot,
})

interface BotSwitch {
  bot: Bot
  chat: Chat
}

/** Runs the bot in a chat where it is stopped, and stops it in one where it answers. */
export const switchBot = mutationOptions({
  mutationFn: ({ bot, chat }: BotSwitch): Promise<unknown> => {
    const { lead } = chat._embedded
    // A chat belongs to its lead, or to its contact without one.
    const body = lead
      ? { entity_id: lead.id, entity_type: 'leads' as const }
      : { entity_id: chat.contact_id, entity_type: 'contacts' as const }
    const request = { params: { path: { id: bot.id } }, body }
    return chat.is_bot_stopped
      ? api.POST('/web/v4/bots/{id}/run', request)
      : api.POST('/web/v4/bots/{id}/stop', request)
  },
  onSuccess: (_, { chat }) => readChat(chat.id),
})
