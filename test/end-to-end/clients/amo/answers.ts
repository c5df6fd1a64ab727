import { partialDeepStrictEqual } from 'node:assert/strict'
import { host } from '../errand.ts'

/** Readers and checks of the answers of `@shevernitskiy/amo`. */

export const idsOf = (rows: unknown): number[] => (rows as { id: number }[]).map(({ id }) => id)

/** The collections of an answer. Some of its types name others than the platform sends. */
export const embeddedOf = (answer: unknown) => (answer as { _embedded: Record<string, object[]> })._embedded

export const self = (path: string) => ({ _links: { self: { href: `https://${host}/api/v4${path}` } } })

/** An error of the client's holds the body that came. It is an Error and of no other class: the build loses that. */
export const withBody = (expected: object) => (error: unknown) => {
  partialDeepStrictEqual((error as { response: object }).response, expected)
  return true
}

export const withFault = (code: string, path: string) =>
  withBody({
    status: 400,
    title: 'Bad Request',
    'validation-errors': [{ request_id: '0', errors: [{ code, path }] }],
  })

/** The pages of a list, which it turns by their number alone, until one names no next. */
export async function pagesOf<Page extends { _links: { next?: object } }>(
  turn: (page: number) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = []
  do pages.push(await turn(pages.length + 1))
  while (pages.at(-1)?._links.next)
  return pages
}
