import type { Answer, Client } from './client.ts'
import { connect, freshCode, register } from './integrations.ts'
import type { Person, World } from './world.ts'

const BELOW = '/private/api/v2/json'

/** A client of the legacy API with the token of a person. */
export interface LegacyClient {
  /** The caller with the token, for v4. */
  v4: Client
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  set(path: string, body: object): Promise<Answer>
}

/** Only an administrator can grant a token. Its later rights are those of the person. */
export async function legacyClient(
  { stranger, admin }: World,
  person: Person = admin,
): Promise<LegacyClient> {
  const isAdmin = person === admin
  const integration = await register(admin)
  if (!isAdmin) await admin.browser.patch(`/web/v4/users/${person.id}`, { is_admin: true })
  const code = isAdmin ? integration.code : await freshCode(person, integration)
  const v4 = stranger.as({ token: (await connect(stranger, integration, code)).access_token })
  if (!isAdmin) await admin.browser.patch(`/web/v4/users/${person.id}`, { is_admin: false })
  return {
    v4,
    get: (path, headers) => v4.get(`${BELOW}/${path}`, headers),
    set: (path, body) => v4.post(`${BELOW}/${path}`, { request: body }),
  }
}
