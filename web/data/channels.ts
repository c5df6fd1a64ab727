import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { AuditPage } from '../../src/accounts/schemas.ts'
import type {
  Channel,
  ChannelKeys,
  ChannelList,
  ChannelPatch,
  ConnectionList,
  NewChannel,
  SavedChannel,
} from '../../src/chats/channels/channel-schemas.ts'
import { query, request } from '../api/client.ts'
import { queryClient } from './query-client.ts'

export type { Channel, ChannelKeys, ChannelPatch, NewChannel, SavedChannel }
export type Connection = ConnectionList['connections'][number]

const web = '/web/channels'

/** The channels that were made in this account. */
export const channelsOptions = queryOptions({
  queryKey: ['channels'],
  queryFn: async () => (await request<Static<typeof ChannelList>>('GET', web)).channels,
})

export const channelOptions = (id: string) =>
  queryOptions({ queryKey: ['channels', id], queryFn: () => request<Channel>('GET', `${web}/${id}`) })

export const connectionsOptions = (id: string) =>
  queryOptions({
    queryKey: ['channels', id, 'connections'],
    queryFn: async () => (await request<ConnectionList>('GET', `${web}/${id}/connections`)).connections,
  })

export const channelLogOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['channels', id, 'log'],
    queryFn: ({ pageParam }) =>
      request<Static<typeof AuditPage>>('GET', `${web}/${id}/log${query({ before: pageParam })}`),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  })

/** The channel's name and state stand in the inbox too. */
const refresh = () =>
  Promise.all(['channels', 'chats'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))

const keep = (channel: Channel) => {
  queryClient.setQueryData(channelOptions(channel.id).queryKey, channel)
  return refresh()
}

export const addChannel = mutationOptions({
  mutationFn: (draft: NewChannel) => request<SavedChannel>('POST', web, draft),
  onSuccess: ({ channel }) => keep(channel),
})

export const patchChannel = mutationOptions({
  mutationFn: ({ id, ...patch }: ChannelPatch & { id: string }) =>
    request<Channel>('PATCH', `${web}/${id}`, patch),
  onSuccess: keep,
})

export const removeChannel = mutationOptions({
  mutationFn: (id: string) => request<void>('DELETE', `${web}/${id}`),
  onSuccess: async (_, id) => {
    queryClient.removeQueries({ queryKey: channelOptions(id).queryKey })
    await refresh()
  },
})

const act = (path: string) =>
  mutationOptions({
    mutationFn: (id: string) => request<Channel>('POST', `${web}/${id}/${path}`),
    onSuccess: keep,
  })
export const connectAccount = act('connect')
export const disconnectAccount = act('disconnect')
export const resumeChannel = act('resume')

export const showChannelKeys = mutationOptions({
  mutationFn: (id: string) => request<ChannelKeys>('POST', `${web}/${id}/keys`),
  onSuccess: (_, id) => queryClient.invalidateQueries({ queryKey: channelLogOptions(id).queryKey }),
  gcTime: 0,
})

export const rotateChannelSecret = mutationOptions({
  mutationFn: ({ id, overlap_seconds }: { id: string; overlap_seconds: number }) =>
    request<ChannelKeys>('POST', `${web}/${id}/secret`, { overlap_seconds }),
  onSuccess: (_, { id }) => queryClient.invalidateQueries({ queryKey: channelOptions(id).queryKey }),
  gcTime: 0,
})
