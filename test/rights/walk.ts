import { sampled } from '../sample.ts'
import type { Caller } from './people.ts'

/**
 * The queries of the person of this number. In the short form, a person asks every tenth, and each query is asked by one
 * of the eleven people of the first account.
 */
export const askedBy = <Query>(person: number, queries: Query[]): Query[] =>
  sampled(queries, person, { step: 10 })

/** Reads all pages of a list with `next`, and reports a page that is not full although another one follows. */
export async function walk(caller: Caller, path: string, query: string, limit: number) {
  const ids: (number | string)[] = []
  const faults: string[] = []
  let url: string | undefined = `${caller.surface}/${path}?limit=${limit}&${query}`
  while (url) {
    const answer = await caller.client.get(url)
    if (answer.status !== 200 && answer.status !== 204)
      return { ids, faults: [`${answer.status} ${answer.text.slice(0, 200)}`] }
    const page = idsIn(answer.body)
    ids.push(...page)
    url = answer.body._links.next?.href
    if (url && page.length < limit) faults.push(`a page of ${page.length}, but another one follows`)
  }
  return { ids, faults }
}

export const every = (name: string, values: (number | string)[]): string =>
  values.map((value) => `${name}[]=${encodeURIComponent(value)}`).join('&')

const idsIn = (body: {
  _embedded: Record<string, { id: number | string; talk_id?: number }[]>
}): (number | string)[] => (Object.values(body._embedded)[0] ?? []).map(({ id, talk_id }) => id ?? talk_id)
