import type { LoggedRequest } from '../data/requests.ts'

type Addressed = Pick<LoggedRequest, 'direction' | 'host' | 'path' | 'query'>

/** The path and the query of a request. An attempt has the host before them. */
export const addressOf = ({ direction, host, path, query }: Addressed): string =>
  `${direction === 'out' ? host : ''}${path}${query && `?${query}`}`
