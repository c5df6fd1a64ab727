import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query'

/** The parameters of a query. */
export type Query = Record<string, string>

/** A page of a list. `next` is the query of the page after it. */
export interface Page<Row> {
  rows: Row[]
  next: Query | undefined
}

interface List<Embedded> {
  /** Missing in a list that always has one page. */
  _links?: { self?: unknown; next?: { href: string } }
  _embedded: Embedded
}

/** Reads a page of a list. The API answers an empty list without a body (V4). */
export async function readPage<Embedded, Row>(
  response: Promise<{ data?: List<Embedded> }>,
  rowsIn: (embedded: Embedded) => Row[],
): Promise<Page<Row>> {
  const { data } = await response
  return { rows: data ? rowsIn(data._embedded) : [], next: queryOf(data?._links?.next) }
}

const queryOf = (link: { href: string } | undefined): Query | undefined =>
  link && Object.fromEntries(new URL(link.href).searchParams)

/** Reads the rows of a list that has one page. */
export const readRows = async <Embedded, Row>(
  response: Promise<{ data?: List<Embedded> }>,
  rowsIn: (embedded: Embedded) => Row[],
): Promise<Row[]> => (await readPage(response, rowsIn)).rows

/** Reads all rows of a list, page after page. `read` gets the query of the next page. */
export async function readAllRows<Row>(
  read: (next: Query | undefined) => Promise<Page<Row>>,
): Promise<Row[]> {
  const { rows, next } = await read(undefined)
  const all = [...rows]
  for (let query = next; query; ) {
    const page = await read(query)
    all.push(...page.rows)
    query = page.next
  }
  return all
}

/** Options of an infinite query that follows the links from page to page. `read` gets the query of the next page. */
export const pagesOf = <Row>(read: (next: Query | undefined) => Promise<Page<Row>>) => ({
  queryFn: ({ pageParam }: { pageParam: Query | undefined }) => read(pageParam),
  initialPageParam: undefined as Query | undefined,
  getNextPageParam: ({ next }: Page<Row>) => next,
  structuralSharing: keepChanges,
})

type Pages = InfiniteData<Page<unknown>, Query | undefined>

/**
 * The pages after a read, with the objects that did not change. A next page is added to the pages as they are now: TanStack
 * Query adds it to those from before the read, so rows that were added or changed meanwhile would be lost.
 */
function keepChanges(now: unknown, read: unknown): unknown {
  const [{ pages: known } = { pages: [] }, { pages, pageParams }] = [now, read] as [Pages | undefined, Pages]
  const isNext = known.length > 0 && pages.length === known.length + 1
  return replaceEqualDeep(now, isNext ? { pages: [...known, pages.at(-1)], pageParams } : read)
}
