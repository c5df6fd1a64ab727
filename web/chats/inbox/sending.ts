import { mutationOptions, useMutationState } from '@tanstack/react-query'
import { keepMessage } from '../../data/chat-cache.ts'
import { chatKeys, postMessage } from '../../data/chats.ts'
import { upload } from '../../data/drive.ts'
import { queryClient } from '../../data/query-client.ts'
import { tellShare } from '../../data/upload-shares.ts'
import { idGiven } from '../../data/writes.ts'
import { restoreDraft } from './drafts.ts'

/** A message between the composer and the server. */
export interface Sent {
  /** Names it here, and to the server, which takes it once however often it comes. */
  key: string
  chat_id: string
  text: string
  file?: File
}

const keyOf = (chat_id: string) => [...chatKeys.all, 'send', chat_id]

/** Messages of one conversation go out one after the other. What is refused goes back to the composer, with the reason. */
export const sendOptions = (chat_id: string) =>
  mutationOptions({
    mutationKey: keyOf(chat_id),
    scope: { id: `send ${chat_id}` },
    mutationFn: async ({ key, text, file }: Sent) => {
      const file_uuid = file && (await upload(file, (share) => tellShare(key, share)))
      return postMessage({ chat_id, key, ...(text && { text }), ...(file_uuid && { file_uuid }) })
    },
    onSuccess: (message) => {
      keepMessage(message)
      queryClient.invalidateQueries({ queryKey: chatKeys.unread })
    },
    onError: (error, sent) => restoreDraft(sent, error),
    onSettled: (_, __, { key }) => tellShare(key, undefined),
    gcTime: 0,
  })

/** What is on its way, and what the server has answered no more: that is drawn as a message at the same moment. */
export const useSending = (chat_id: string): Sent[] =>
  useMutationState({
    filters: { mutationKey: keyOf(chat_id), status: 'pending' },
    select: ({ state }) => state.variables as Sent,
  }).filter(({ key }) => idGiven(key) === undefined)
