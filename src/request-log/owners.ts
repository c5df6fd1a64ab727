import { accountOfAmojoId, findAccountBySubdomain, onlyAccountId } from '../accounts/accounts.ts'
import type { Db } from '../db/database.ts'
import { accountOfClient, type TokenState, tokenState } from '../integrations/integrations.ts'
import type { Exchange } from '../traffic.ts'

/** The account that a request belongs to, and its token, if it had one. */
export interface Owner extends Pick<Exchange, 'integration_id' | 'user_id' | 'grant_id' | 'generation'> {
  account_id: number
  /** Of the token that decided the answer; undefined if it was not looked up. */
  token?: TokenState | null
  /** The kind of the token that was sent. */
  sent?: TokenState['kind'] | null
}

/** A credential of a request. */
interface Credential {
  kind: TokenState['kind']
  text: string
}

/**
 * Finds the accounts of requests. The surface knows it, unless it refused the caller. Then the token, the host, the
 * integration and the chat scope of the request name it, in this order. A server with one account has no other (Q5). null:
 * the request belongs to no account, and is not recorded. Strangers can send many requests, so hosts are looked up once for
 * a batch.
 */
export function createOwners(db: Db): (exchange: Exchange, now: number) => Promise<Owner | null> {
  const hosts = new Map<string | null, Promise<number | undefined>>()
  const accountAt = (subdomain: string | null) => {
    const found = hosts.get(subdomain) ?? accountOfHost(db, subdomain)
    hosts.set(subdomain, found)
    return found
  }
  return async (exchange, now) => {
    const { account_id, integration_id, user_id, grant_id, generation, subdomain } = exchange
    const known = { integration_id, user_id, grant_id, generation }
    const isOauth = exchange.operation.startsWith('oauth.')
    const isAboutToken = exchange.status === 401 || isOauth
    if (exchange.direction === 'out' || (account_id !== null && !isAboutToken))
      return account_id === null ? null : { ...known, account_id }
    const host = subdomain === null ? undefined : await accountAt(subdomain)
    if (host !== undefined && !isAboutToken) return { ...known, account_id: host }
    const parameters = isOauth ? parametersOf(exchange) : {}
    const credential = credentialOf(exchange, parameters)
    const token = credential && (await tokenState(db, credential.text, now))
    const about = { token, sent: credential?.kind ?? null }
    const isElsewhere = token && host !== undefined && host !== token.account_id
    if (token && !isElsewhere) return { ...known, ...ownerOf(token), ...about }
    const { client_id = '' } = parameters
    const developer = await accountOfClient(db, client_id)
    const found =
      account_id ?? host ?? developer ?? (await accountOfScope(db, exchange)) ?? (await accountAt(null))
    if (found === undefined) return null
    return {
      ...known,
      // A stranger can send any text as a client id.
      integration_id: integration_id ?? (developer === undefined ? null : client_id),
      account_id: found,
      ...(!isElsewhere && about),
    }
  }
}

const ownerOf = ({ account_id, integration_id, user_id, grant_id, generation }: TokenState) => ({
  account_id,
  integration_id,
  user_id,
  grant_id,
  generation,
})

/** The account of a host; without one, the only account of the server. */
const accountOfHost = async (db: Db, subdomain: string | null): Promise<number | undefined> =>
  subdomain === null ? onlyAccountId(db) : (await findAccountBySubdomain(db, subdomain))?.id

const SCOPE = /^\/v2\/origin\/custom\/[0-9a-f-]{36}_([0-9a-f-]{36})(?:[/?]|$)/

async function accountOfScope(db: Db, { url }: Exchange): Promise<number | undefined> {
  const [, amojo_id] = SCOPE.exec(url) ?? []
  return amojo_id === undefined ? undefined : accountOfAmojoId(db, amojo_id)
}

function credentialOf({ request }: Exchange, sent: Record<string, string>): Credential | null {
  const { authorization, 'x-refresh-token': header } = request.headers
  if (sent.refresh_token) return { kind: 'refresh_token', text: sent.refresh_token }
  if (sent.code) return { kind: 'code', text: sent.code }
  if (sent.token) return { kind: 'access_token', text: sent.token }
  if (typeof header === 'string') return { kind: 'refresh_token', text: header }
  const [, bearer] = /^bearer +(.*)$/i.exec(typeof authorization === 'string' ? authorization : '') ?? []
  return bearer === undefined ? null : { kind: 'access_token', text: bearer.trim() }
}

/** The texts in the body of a token request, JSON or form, and the integration in HTTP Basic. */
function parametersOf({ request }: Exchange): Record<string, string> {
  const text = String(request.content ?? '')
  const basic = /^basic +(.*)$/i.exec(String(request.headers.authorization ?? ''))?.[1]
  const client_id = basic && Buffer.from(basic, 'base64').toString().split(':')[0]
  const isForm = String(request.headers['content-type'] ?? '').includes('form-urlencoded')
  const members = isForm ? [...new URLSearchParams(text)] : Object.entries(parsed(text))
  const texts = members.filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  return { ...(client_id && { client_id }), ...Object.fromEntries(texts) }
}

function parsed(text: string): object {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
