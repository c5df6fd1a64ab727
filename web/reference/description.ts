import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../data/query-client.ts'
import type { ChatPlace } from './place.ts'

type Parameter = { in?: string; name?: string; example?: unknown }
type Operation = { summary?: string; parameters?: Parameter[]; security?: Record<string, unknown>[] }

export interface Description {
  servers?: unknown
  components: { securitySchemes: Record<string, unknown> }
  paths: Record<string, Record<string, Operation>>
}

const descriptionOptions = queryOptions({
  queryKey: ['reference', 'description'],
  queryFn: async (): Promise<Description> => {
    const answer = await fetch('/api/openapi.json')
    if (!answer.ok) throw new Error(`The API description was answered with ${answer.status}.`)
    return answer.json()
  },
})

/**
 * The API description as the page shows it: the page calls its own server with a token, so it offers neither other
 * servers nor a consent. The ids of the chosen channel are filled in.
 */
export async function readDescription(chat: ChatPlace | undefined): Promise<Description> {
  const description = await queryClient.fetchQuery(descriptionOptions)
  delete description.servers
  delete description.components.securitySchemes.oauth2
  const filled: Record<string, string | undefined> = {
    channel_id: chat?.channel_id,
    scope_id: chat?.scope_id,
  }
  for (const operation of Object.values(description.paths).flatMap((path) => Object.values(path))) {
    // Summaries are sentences. Here they are titles.
    operation.summary = operation.summary?.replace(/\.$/, '')
    operation.security = operation.security?.filter((needed) => !('oauth2' in needed))
    for (const parameter of operation.parameters ?? [])
      if (parameter.in === 'path') parameter.example = filled[parameter.name ?? ''] ?? parameter.example
  }
  return description
}
