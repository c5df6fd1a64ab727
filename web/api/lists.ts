import { pathOf, request } from './client.ts'

/** A page of a list. `next` is the path of the page after it. */
export interface Page<Row> {
  rows: Row[]
  next: string | undefined
}

interface Answer<Row> {
  /** Missing in a list that always has one page. */
  _links?: { next?: { href: string } }
  _embedded: Record<string, Row[]>
}

/** Reads a page of a list. The API answers an empty list without a body (V4). */
export async function readPage<Row>(path: string, collection: string): Promise<Page<Row>> {
  const answer = await request<Answer<Row> | undefined>('GET', path)
  return { rows: answer?._embedded[collection] ?? [], next: pathOf(answer?._links?.next) }
}

/** Reads the rows of a list that has one page. */
export const readRows = async <Row>(path: string, collection: string): Promise<Row[]> =>
  (await readPage<Row>(path, collection)).rows

/** Options of an infinite query that follows the links from page to page. */
export const pagesOf = <Row>(read: (next: string | undefined) => Promise<Page<Row>>) => ({
  queryFn: ({ pageParam }: { pageParam: string | undefined }) => read(pageParam),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }: Page<Row>) => next,
})
