import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import { channelsOptions } from '../data/channels.ts'
import { installationsOptions } from '../data/installations.ts'
import { queryClient } from '../data/query-client.ts'
import { type Session, sessionOptions } from '../data/session.ts'

/** Something to choose from in the bar. */
export interface Choice {
  id: string
  name: string
}

/** A channel in the account of the session. */
export interface ChatPlace {
  channel_id: string
  scope_id: string
}

/** As whom the page can call the server. */
export interface Place {
  session: Session
  /** Active integrations of the account; undefined for people who may not use them. */
  integrations?: Choice[]
  channels?: Choice[]
  /** The account in the chat API. */
  amojo_id: string
}

const chatAccountOptions = queryOptions({
  queryKey: ['reference', 'account'],
  queryFn: () => dataOf(api.GET('/web/v4/account', { params: { query: { with: ['amojo_id'] } } })),
})

/** Reads who the visitor is, and what an administrator can call with. */
export async function readPlace(): Promise<Place> {
  const session = await queryClient.fetchQuery(sessionOptions)
  if (!session.account?.is_admin) return { session, amojo_id: '' }
  const [installations, channels, account] = await Promise.all([
    queryClient.fetchQuery(installationsOptions),
    queryClient.fetchQuery(channelsOptions),
    queryClient.fetchQuery(chatAccountOptions),
  ])
  return {
    session,
    integrations: installations.filter(({ is_active }) => is_active).map(({ integration }) => integration),
    // The recorded examples are those of the protocol `live`, so its channels come first.
    channels: channels
      .filter(({ is_connected }) => is_connected)
      .toSorted((a, b) => Number(b.protocol === 'live') - Number(a.protocol === 'live')),
    amojo_id: account?.amojo_id ?? '',
  }
}

const KEPT = { integration: 'patchbay-reference-integration', channel: 'patchbay-reference-channel' }

/** The choice of the last visit if it still exists, otherwise the first one. */
export function keptChoice(kind: keyof typeof KEPT, choices: Choice[] = []): string | undefined {
  const kept = localStorage.getItem(KEPT[kind])
  return (choices.find(({ id }) => id === kept) ?? choices[0])?.id
}

export const keepChoice = (kind: keyof typeof KEPT, id: string): void => localStorage.setItem(KEPT[kind], id)
