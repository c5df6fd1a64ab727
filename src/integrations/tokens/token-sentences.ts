import type { End } from './token-endings.ts'
import type { TokenReason } from './token-reason-types.ts'
import type { TokenState } from './token-states.ts'

export const tokenNouns = {
  access_token: 'access token',
  refresh_token: 'refresh token',
  code: 'authorization code',
} as const satisfies Record<TokenState['kind'], string>

/** A moment in a sentence. */
export const timeOf = (at: number): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z')
const when = (at: number | null): string => (at === null ? '' : ` at ${timeOf(at)}`)
const by = (request_id: string | null): string => (request_id ? ` by request ${request_id}` : '')

/** The end and, if it is known, the name of the person who caused it. */
type Named = End & { person: string | null }

const byPerson = ({ person, request_id }: Named): string =>
  person ? ` by ${person}${request_id ? `, in request ${request_id}` : ''}` : by(request_id)

function replacement({ at, request_id, used_at, used_request_id }: End): string {
  const used =
    used_at || used_request_id
      ? `, and first used${when(used_at)}${by(used_request_id)}`
      : ', and has been used'
  return `was replaced: a new pair was issued${when(at)}${by(request_id)}${used}.`
}

/** The words that follow the name of the token, by reason. */
const predicates: Record<TokenReason, (end: Named) => string> = {
  expired: ({ at, request_id }) =>
    `expired${when(at)}${request_id ? `: request ${request_id} of the test helpers changed its times` : ''}.`,
  replaced: replacement,
  exchanged: ({ at, request_id }) => `was exchanged${when(at)}${by(request_id)}. A code works once.`,
  code_replayed: ({ at, request_id }) =>
    `was revoked${when(at)}: its authorization code was exchanged a second time${by(request_id)}.`,
  refresh_token_reused: ({ at, request_id }) =>
    `was revoked${when(at)}: a replaced refresh token was used again${by(request_id)}, and the integration has the setting to revoke on reuse.`,
  revoked_by_integration: ({ at, request_id }) =>
    `was revoked${when(at)} by the integration itself${request_id ? `, in request ${request_id}` : ''}.`,
  revoked_by_administrator: (end) => `was revoked${when(end.at)}${byPerson(end)}.`,
  revoked_by_test_helpers: (end) =>
    `was revoked${when(end.at)} with the test helpers${end.request_id ? `, in request ${end.request_id}` : ''}.`,
  integration_disabled: (end) =>
    `was revoked${when(end.at)}: the integration was disabled in the account${byPerson(end)}.`,
  person_deactivated: (end) =>
    `was revoked${when(end.at)}: the person who granted access was deactivated${byPerson(end)}.`,
  person_removed: (end) =>
    `was revoked${when(end.at)}: the person who granted access was removed from the account${byPerson(end)}.`,
  access_lost: (end) =>
    `was revoked${when(end.at)}: the installation or the person who granted access was disabled${by(end.request_id)}.`,
}

/** Why a token is dead, in a sentence. */
export const endSentence = (kind: TokenState['kind'], end: End, person: string | null = null): string =>
  `The ${tokenNouns[kind]} ${predicates[end.reason]({ ...end, person })}`

/** Why all tokens of a consent are dead, in a sentence. */
export const consentSentence = (end: End, person: string | null): string =>
  `The consent ${predicates[end.reason]({ ...end, person })}`
