import { createRoute } from '@tanstack/react-router'
import { chatStates } from '../../src/chats/inbox/chat-filter.ts'
import type { ChatFilter } from '../data/chats.ts'
import { messagesOptions } from '../data/messages.ts'
import { queryClient } from '../data/query-client.ts'
import { lazyPage, shell, text } from './base.ts'

const inbox = createRoute({
  getParentRoute: () => shell,
  path: '/inbox',
  validateSearch: ({ state, channel, query, contact, lead }): ChatFilter => ({
    state: chatStates.find((one) => one === state),
    channel: text(channel),
    query: text(query),
    contact: text(contact),
    lead: text(lead),
  }),
  component: lazyPage(() => import('../chats/inbox/inbox-page.tsx'), 'InboxPage'),
})
const noChat = createRoute({
  getParentRoute: () => inbox,
  path: '/',
  component: lazyPage(() => import('../chats/inbox/no-chat-selected.tsx'), 'NoChatSelected'),
})
const chat = createRoute({
  getParentRoute: () => inbox,
  path: '/$chatId',
  // Hovering a link preloads the conversation.
  loader: ({ params }) => {
    queryClient.prefetchInfiniteQuery(messagesOptions(params.chatId))
  },
  component: lazyPage(() => import('../chats/inbox/thread-page.tsx'), 'ThreadPage'),
})

export const inboxRoutes = [inbox.addChildren([noChat, chat])] as const
