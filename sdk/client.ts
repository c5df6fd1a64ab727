import createFetchClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './generated/api.ts'

export type { components, operations, paths } from './generated/api.ts'

/** The schemas of the API by their names: `Schemas['Lead']`. */
export type Schemas = components['schemas']

/** An access token, or a function that returns the current one before each request. */
export type Token = string | (() => string | null | Promise<string | null>)

/**
 * Creates a typed client of one account. `baseUrl` is the address of the account, as `https://demo.example.com`. Each
 * method returns `response`, and either `data` or `error`.
 */
export function createClient(baseUrl: string, token: Token | null = null): Client<paths> {
  // The server separates the values of a list in a query by commas.
  const client = createFetchClient<paths>({
    baseUrl,
    querySerializer: { array: { style: 'form', explode: false } },
  })
  client.use({
    async onRequest({ request }) {
      const current = typeof token === 'function' ? await token() : token
      if (current !== null) request.headers.set('authorization', `Bearer ${current}`)
    },
  })
  return client
}
