import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'

export type AuditEntry = Schemas['AuditEntry']

/** The audit log of the account, newest first. `search` has the parameters of the address. */
export const auditOptions = (search: Record<string, string>) =>
  infiniteQueryOptions({
    queryKey: ['audit', search],
    queryFn: ({ pageParam: before }) =>
      dataOf(api.GET('/web/audit', { params: { query: { ...search, before } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
