import type { Refusal } from '../../errors.ts'

const REALM = 'Bearer realm="patchbay"'

/** Why a bearer token is rejected, by the code of the refusal (RFC 6750, 3.1). */
const invalidTokens: Record<string, string> = {
  token_unknown: 'The access token is unknown',
  token_expired: 'The access token has expired',
  token_revoked: 'The access token has been revoked',
  token_of_other_account: 'The access token is for a different account than this address',
  context_user: 'The access token cannot act as the person in X-Context-User-ID',
}

/**
 * The WWW-Authenticate header of a refused bearer call, or undefined for other refusals. Without a token, the challenge
 * has no error (RFC 6750, 3). `insufficient_scope` names the permission in `members.scope`.
 */
export function challengeOf({ code, members }: Refusal): string | undefined {
  if (code === 'token_missing') return REALM
  if (code === 'insufficient_scope') return `${REALM}, error="insufficient_scope", scope="${members.scope}"`
  const why = Object.hasOwn(invalidTokens, code) ? invalidTokens[code] : undefined
  return why && `${REALM}, error="invalid_token", error_description="${why}"`
}
