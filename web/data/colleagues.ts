import { queryOptions, useQuery } from '@tanstack/react-query'
import { request } from '../api/client.ts'

/** A person of the account, as everybody in it may know him. */
export interface Colleague {
  id: number
  name: string
  group_id: number
  is_active: boolean
}

export const colleaguesOptions = queryOptions({
  queryKey: ['colleagues'],
  queryFn: async () => (await request<{ colleagues: Colleague[] }>('GET', '/web/colleagues')).colleagues,
  staleTime: 60_000,
})

/** The name of a person of the account by his id; undefined while it is read, and of nobody. */
export function useColleagueName(): (id: number) => string | undefined {
  const { data } = useQuery({ ...colleaguesOptions, select: byId })
  return (id) => data?.get(id)?.name
}

const byId = (colleagues: Colleague[]) => new Map(colleagues.map((one) => [one.id, one]))
