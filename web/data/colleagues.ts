import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'

/** The data of a person that everybody in the account can see. */
export type Colleague = Schemas['Colleague']

export const colleaguesOptions = queryOptions({
  queryKey: ['colleagues'],
  queryFn: async () => (await dataOf(api.GET('/web/colleagues'))).colleagues,
  staleTime: 60_000,
})

/** The name of a person by their id; undefined while it loads, and for an unknown id. */
export function useColleagueName(): (id: number) => string | undefined {
  const { data } = useQuery({ ...colleaguesOptions, select: byId })
  return (id) => data?.get(id)?.name
}

const byId = (colleagues: Colleague[]) => new Map(colleagues.map((one) => [one.id, one]))
