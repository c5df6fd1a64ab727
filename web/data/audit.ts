import { infiniteQueryOptions } from '@tanstack/react-query'
import type { AuditArea } from '../../src/accounts/audit-types.ts'
import type { AuditEntry, AuditPage } from '../../src/accounts/schemas.ts'
import { request } from '../api/client.ts'

export type { AuditArea, AuditEntry }

/** The account's audit log, newest first; `search` holds the members of the query as the address has them. */
export const auditOptions = (search: Record<string, string>) =>
  infiniteQueryOptions({
    queryKey: ['audit', search],
    queryFn: ({ pageParam }) => {
      const asked = { ...search, ...(pageParam && { before: pageParam }) }
      return request<AuditPage>('GET', `/web/audit?${new URLSearchParams(asked)}`)
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  })
