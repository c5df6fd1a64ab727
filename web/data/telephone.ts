import { mutationOptions } from '@tanstack/react-query'
import { TELEPHONE } from '../../src/chats/telephone/telephone-types.ts'
import { api, type Body, dataOf } from '../api/client.ts'
import { type Chat, chatKeys } from './chats.ts'
import { upload } from './drive.ts'
import { queryClient } from './query-client.ts'

type Draft = Body<'/web/channels/{id}/telephone/messages', 'post'>
/** A customer that somebody plays; `key` names their conversation. */
export type Customer = Draft['customer']
export type CustomerContent = Omit<Draft, 'customer'>

/** The customer of a conversation of the telephone; undefined for a conversation with a real one. */
export function customerOf({ conversation_id, sender }: Chat): Customer | undefined {
  if (!conversation_id?.startsWith(TELEPHONE)) return undefined
  const phone = sender.phone?.replace(/[^+\d]/g, '')
  return {
    key: conversation_id.slice(TELEPHONE.length),
    name: sender.name || '–',
    ...(phone && /^\+?\d{5,15}$/.test(phone) && { phone }),
  }
}

const pathOf = (id: string) => ({ params: { path: { id } } })

/** Writes a message as a customer of a channel. A file is stored in the drive first. */
export const writeAsCustomer = (channel_id: string, customer: Customer) =>
  mutationOptions({
    mutationFn: async ({ file, ...content }: CustomerContent & { file?: File }) => {
      const stored = file && { file_uuid: await upload(file, () => {}) }
      const body = { customer, ...content, ...stored }
      return dataOf(api.POST('/web/channels/{id}/telephone/messages', { ...pathOf(channel_id), body }))
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: chatKeys.all }),
  })

export type CustomerStatus = Body<'/web/channels/{id}/telephone/status', 'post'>

/** Reports what became of a message of the account. The live stream shows it. */
export const reportStatus = (channel_id: string) =>
  mutationOptions({
    mutationFn: (body: CustomerStatus) =>
      api.POST('/web/channels/{id}/telephone/status', { ...pathOf(channel_id), body }),
  })

export const reactAsCustomer = (channel_id: string) =>
  mutationOptions({
    mutationFn: (body: Body<'/web/channels/{id}/telephone/reaction', 'post'>) =>
      api.POST('/web/channels/{id}/telephone/reaction', { ...pathOf(channel_id), body }),
  })

/** Shows in the inbox that the customer is typing. A report that fails is not repeated. */
export function typeAsCustomer(channel_id: string, key: string): void {
  api.POST('/web/channels/{id}/telephone/typing', { ...pathOf(channel_id), body: { key } }).catch(() => {})
}
