import { type APIRequestContext, type APIResponse, type Browser, expect, type Page } from '@playwright/test'
import { bringIn, demo } from './people.ts'

/** A response of the API, whose shape the test knows. */
// biome-ignore lint/suspicious/noExplicitAny: the test knows the properties of its records
export type Answer = any

/** The API with the session of a page. */
export interface Api {
  get: (path: string) => Promise<Answer>
  post: (path: string, body: unknown) => Promise<Answer>
  patch: (path: string, body: unknown) => Promise<Answer>
  remove: (path: string) => Promise<void>
}

/** The server can end a kept connection in the moment in which a request is sent. */
const maxRetries = 2

/** Sends a request like the page, or another client of the session, with its cookie and CSRF token. */
export async function apiOf({ request }: { request: APIRequestContext }): Promise<Api> {
  const session = await (await request.get('/web/session')).json()
  const headers = { 'x-csrf-token': session.csrf_token, 'sec-fetch-site': 'same-origin' }
  const answer = async (response: APIResponse) => {
    const text = await response.text()
    if (!response.ok()) throw new Error(`${response.url()} ${response.status()} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  return {
    get: async (path) => answer(await request.get(`/web/v4/${path}`, { maxRetries })),
    post: async (path, data) => answer(await request.post(`/web/v4/${path}`, { data, headers })),
    patch: async (path, data) =>
      answer(await request.patch(`/web/v4/${path}`, { data, headers, maxRetries })),
    remove: async (path) => answer(await request.delete(`/web/v4/${path}`, { headers, maxRetries })),
  }
}

/** Adds a record and returns its id. */
export async function addRecord(api: Api, collection: string, draft: object): Promise<number> {
  const answer = await api.post(collection, [draft])
  return answer._embedded[collection.split('/').at(-1) as string][0].id
}

/** Adds fields and returns them. */
export async function addFields(
  api: Api,
  owner: string,
  drafts: object[],
): Promise<{ id: number; name: string; enums: { id: number }[] }[]> {
  return (await api.post(`${owner}/custom_fields`, drafts))._embedded.custom_fields
}

/** Adds a field of a service, through the operation for services. */
export async function addServiceField(page: Page, name: string, origin: string): Promise<number> {
  const response = await page.request.post(`${demo.base_url}/private/api/v2/json/fields/set`, {
    headers: { authorization: `Bearer ${demo.tokens.access_token}` },
    data: { request: { fields: { add: [{ name, type: 1, element_type: 2, origin }] } } },
  })
  expect(response.status()).toBe(200)
  return (await response.json()).response.fields.add[0].id
}

const all = { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'A' }
let people = 0

export interface Colleague {
  page: Page
  api: Api
  name: string
  id: number
}

/** Adds a person to the account and signs them in on a page, whose browser may know the application's code already. */
export async function personOn(
  page: Page,
  admin: Api,
  { name, rights = {} }: { name: string; rights?: object },
): Promise<Colleague> {
  people += 1
  const email = `person-${people}-${Date.now()}@cards.example`
  const password = 'a-long-enough-password'
  const added = await admin.post('users', [
    {
      name,
      email,
      password,
      rights: { leads: all, contacts: all, companies: all, tasks: { edit: 'A', delete: 'A' }, ...rights },
    },
  ])
  await bringIn(page, email, password)
  return { page, api: await apiOf(page), name, id: added._embedded.users[0].id }
}

/** Adds a person to the account and opens a browser of their own: a page in it loads the whole application. */
export async function anotherPerson(
  browser: Browser,
  admin: Api,
  baseURL: string | undefined,
  person: { name: string; rights?: object },
): Promise<Colleague> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } })
  return personOn(await context.newPage(), admin, person)
}

/** Signs in as the demo's administrator and returns the API with that session. */
export async function administrator(client: { request: APIRequestContext }): Promise<Api> {
  await bringIn(client, demo.user.email, demo.user.password)
  return apiOf(client)
}

/** The API with the token of the demo integration. */
export async function patchByService(page: Page, path: string, data: object): Promise<void> {
  const headers = { authorization: `Bearer ${demo.tokens.access_token}` }
  const response = await page.request.patch(`${demo.base_url}/api/v4/${path}`, { headers, data })
  expect(response.status()).toBe(200)
}
