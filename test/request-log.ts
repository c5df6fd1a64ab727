import type { LoggedExchange, LoggedRequest } from '../src/request-log/schemas.ts'
import type { Client } from './client.ts'
import type { World } from './world.ts'

const AT = '/test_helpers/requests'

/** A caller with the key of the test helpers. */
export const helper = ({ ctx, stranger }: Pick<World, 'ctx' | 'stranger'>): Client =>
  stranger.as({ token: ctx.testHelpersKey ?? '' })

/** The recorded requests of the account, the newest first. */
export async function logged(here: World, query = ''): Promise<LoggedRequest[]> {
  const { status, body, text } = await helper(here).get(`${AT}${query && `?${query}`}`)
  if (status !== 200) throw new Error(text)
  return body.requests
}

/** The newest recorded request with both sides. */
export async function lastExchange(here: World, query = ''): Promise<LoggedExchange> {
  const [last] = await logged(here, query)
  return (await helper(here).get(`${AT}/${last?.id}`)).body
}
