import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { queryClient } from './query-client.ts'

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

/** Ids that caused a refresh. An id that is still unknown after it causes no other. */
const requested = new Set<number>()

/** Refreshes the colleagues if an id is of none of them: that person is new. 0 is no person. */
export function expectColleagues(ids: readonly number[]): void {
  const known = queryClient.getQueryData(colleaguesOptions.queryKey)
  if (!known) return
  const unknown = ids.filter((id) => id !== 0 && !requested.has(id) && !known.some((one) => one.id === id))
  if (unknown.length === 0) return
  for (const id of unknown) requested.add(id)
  queryClient.invalidateQueries({ queryKey: colleaguesOptions.queryKey })
}
