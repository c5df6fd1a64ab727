import { request } from './client.ts'

interface Page {
  _links: object
  _embedded: object
}

/** Reads a page of a list. The API answers an empty list without a body (V4); here it is a page without rows. */
export async function readPage<Of extends Page>(
  path: string,
  collection: keyof Of['_embedded'] & string,
): Promise<Of> {
  const page = await request<Of | undefined>('GET', path)
  return page ?? ({ _links: {}, _embedded: { [collection]: [] } } as unknown as Of)
}

/** The rows of a list that is one page. */
export const readRows = async <Row>(path: string, collection: string): Promise<Row[]> =>
  (await readPage<Page & { _embedded: Record<string, Row[]> }>(path, collection))._embedded[collection] ?? []
