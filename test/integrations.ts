import type { NewIntegration } from '../src/integrations/registry/schemas.ts'
import type { TokenSet } from '../src/integrations/tokens/tokens.ts'
import type { Answer, Client } from './client.ts'
import type { Person } from './world.ts'

/** An integration as its developer knows it. */
export interface Registered {
  client_id: string
  client_secret: string
  redirect_uri: string
  /** The first authorization code, of the administrator who registered the integration. */
  code: string
}

/** Registers an integration in the person's browser. */
export async function register(person: Person, draft: Partial<NewIntegration> = {}): Promise<Registered> {
  const redirect_uri = draft.redirect_uri ?? 'https://shop.example/oauth'
  const answer = await person.browser.post('/web/integrations', { name: 'Shop', ...draft, redirect_uri })
  if (answer.status !== 201) throw new Error(`not registered: ${answer.text}`)
  return { ...answer.body.keys, redirect_uri, code: answer.body.code.code }
}

/** A new code from the integration's window. */
export async function freshCode(person: Person, { client_id }: Registered): Promise<string> {
  return (await person.browser.post(`/web/installations/${client_id}/code`)).body.code
}

/**
 * Allows an integration in the account of an administrator, on the consent page. Returns the page, the redirect and the
 * code. `meanwhile` happens while the page is open.
 */
export async function consent(
  { browser }: Person,
  { client_id }: Registered,
  meanwhile: () => Promise<void> = async () => {},
): Promise<{ page: Answer; location: string; code: string }> {
  const page = await browser.get(`/web/consent?client_id=${client_id}`)
  await meanwhile()
  const { form_token, accounts } = page.body
  const form = new URLSearchParams({ form_token, account_id: accounts[0].id, decision: 'allow' })
  const decided = await browser.post('/oauth', form.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })
  const location = String(decided.headers.location)
  return { page, location, code: String(new URL(location).searchParams.get('code')) }
}

const keysOf = ({ client_id, client_secret, redirect_uri }: Registered) => ({
  client_id,
  client_secret,
  redirect_uri,
})

export function exchange(
  client: Client,
  integration: Registered,
  code = integration.code,
  change = {},
): Promise<Answer> {
  return client.post('/oauth2/access_token', {
    ...keysOf(integration),
    grant_type: 'authorization_code',
    code,
    ...change,
  })
}

export function refresh(
  client: Client,
  integration: Registered,
  refresh_token: string,
  change = {},
): Promise<Answer> {
  return client.post('/oauth2/access_token', {
    ...keysOf(integration),
    grant_type: 'refresh_token',
    refresh_token,
    ...change,
  })
}

/** The token set of a new code. Throws if the exchange is refused. */
export async function connect(client: Client, integration: Registered, code?: string): Promise<TokenSet> {
  const answer = await exchange(client, integration, code)
  if (answer.status !== 200) throw new Error(`not connected: ${answer.text}`)
  return answer.body
}

/** The status of the bearer call in the specification. */
export async function accountStatus(client: Client, token: string): Promise<number> {
  return (await client.as({ token }).get('/api/v4/account')).status
}
