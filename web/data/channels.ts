import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { type Answer, api, type Body, dataOf, type Schemas } from '../api/client.ts'
import { queryClient } from './query-client.ts'

export type Channel = Schemas['Channel']
export type ChannelKeys = Schemas['ChannelKeys']
export type NewChannel = Body<'/web/channels', 'post'>
export type ChannelPatch = Body<'/web/channels/{id}', 'patch'>
export type SavedChannel = Schemas['SavedChannel']
export type Connection = Answer<'/web/channels/{id}/connections', 'get'>['connections'][number]

/** The channels of this account. */
export const channelsOptions = queryOptions({
  queryKey: ['channels'],
  queryFn: async () => (await dataOf(api.GET('/web/channels'))).channels,
})

export const channelOptions = (id: string) =>
  queryOptions({
    queryKey: ['channels', id],
    queryFn: () => dataOf(api.GET('/web/channels/{id}', { params: { path: { id } } })),
  })

export const connectionsOptions = (id: string) =>
  queryOptions({
    queryKey: ['channels', id, 'connections'],
    queryFn: async () =>
      (await dataOf(api.GET('/web/channels/{id}/connections', { params: { path: { id } } }))).connections,
  })

export const channelLogOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['channels', id, 'log'],
    queryFn: ({ pageParam: before }) =>
      dataOf(api.GET('/web/channels/{id}/log', { params: { path: { id }, query: { before } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  })

/** The inbox also shows the name and the state of the channel. */
const refresh = () =>
  Promise.all(['channels', 'chats'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))

const keep = (channel: Channel) => {
  queryClient.setQueryData(channelOptions(channel.id).queryKey, channel)
  return refresh()
}

export const addChannel = mutationOptions({
  mutationFn: (draft: NewChannel) => dataOf(api.POST('/web/channels', { body: draft })),
  onSuccess: ({ channel }) => keep(channel),
})

export const patchChannel = mutationOptions({
  mutationFn: ({ id, ...body }: ChannelPatch & { id: string }) =>
    dataOf(api.PATCH('/web/channels/{id}', { params: { path: { id } }, body })),
  onSuccess: keep,
})

export const removeChannel = mutationOptions({
  mutationFn: (id: string) => api.DELETE('/web/channels/{id}', { params: { path: { id } } }),
  onSuccess: async (_, id) => {
    queryClient.removeQueries({ queryKey: channelOptions(id).queryKey })
    await refresh()
  },
})

const act = (action: 'connect' | 'disconnect' | 'resume') =>
  mutationOptions({
    mutationFn: (id: string) =>
      dataOf(api.POST(`/web/channels/{id}/${action}`, { params: { path: { id } } })),
    onSuccess: keep,
  })
export const connectAccount = act('connect')
export const disconnectAccount = act('disconnect')
export const resumeChannel = act('resume')

export const showChannelKeys = mutationOptions({
  mutationFn: (id: string) => dataOf(api.POST('/web/channels/{id}/keys', { params: { path: { id } } })),
  onSuccess: (_, id) => queryClient.invalidateQueries({ queryKey: channelLogOptions(id).queryKey }),
  gcTime: 0,
})

export const rotateChannelSecret = mutationOptions({
  mutationFn: ({ id, overlap_seconds }: { id: string; overlap_seconds: number }) =>
    dataOf(api.POST('/web/channels/{id}/secret', { params: { path: { id } }, body: { overlap_seconds } })),
  onSuccess: (_, { id }) => queryClient.invalidateQueries({ queryKey: channelOptions(id).queryKey }),
  gcTime: 0,
})
