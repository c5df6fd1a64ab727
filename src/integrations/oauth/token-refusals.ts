import { Refusal } from '../../errors.ts'

/**
 * The refusals of the token endpoint: OAuth's error (RFC 6749, 5.2), the hint that the platform's clients know
 * (docs/wire/oauth.md#errors-of-the-token-endpoint), and a longer sentence if the hint is not enough.
 */
export const tokenRefusals = {
  unreadable: ['invalid_request', 'The request body cannot be read: {}'],
  missing_parameter: ['invalid_request', 'Check the `{}` parameter'],
  unsupported_grant_type: ['unsupported_grant_type', 'Check the `grant_type` parameter'],
  unknown_client: ['invalid_client', 'Check the `client_id` parameter'],
  wrong_secret: ['invalid_client', 'Check the `client_secret` parameter'],
  wrong_redirect_uri: ['invalid_grant', 'Redirect URI is not associated with client'],
  unknown_code: ['invalid_grant', 'Cannot decrypt the authorization code'],
  wrong_account: ['invalid_grant', 'Invalid account'],
  wrong_verifier: ['invalid_grant', 'Failed to verify `code_verifier`'],
  code_replayed: [
    'invalid_grant',
    'Authorization code has been revoked',
    'The authorization code was exchanged before, so its tokens have been revoked too. Never repeat the exchange of a code. Ask for consent again.',
  ],
  code_revoked: ['invalid_grant', 'Authorization code has been revoked'],
  code_expired: ['invalid_grant', 'Authorization code has expired'],
  unknown_refresh_token: ['invalid_grant', 'Invalid refresh token'],
  refresh_token_expired: ['invalid_grant', 'Refresh token has expired'],
  refresh_token_revoked: ['invalid_grant', 'Token has been revoked'],
} as const satisfies Record<string, readonly [error: string, hint: string, detail?: string]>

export type TokenRefusalCode = keyof typeof tokenRefusals

/** A refusal of the token endpoint. `parameter` completes the hint: the name of a parameter or a reason. */
export function tokenRefusal(code: TokenRefusalCode, parameter = ''): Refusal {
  return new Refusal('invalid', tokenRefusals[code][1].replace('{}', parameter), { code })
}

/** OAuth's error and detail for a refusal. A refusal without an entry is an invalid request. */
export function oauthErrorOf({ code, reason, message }: Refusal): { error: string; detail: string } {
  const known: readonly (string | undefined)[] = Object.hasOwn(tokenRefusals, code)
    ? tokenRefusals[code as TokenRefusalCode]
    : []
  const isOurs = reason === 'unavailable' || reason === 'full'
  const [error = isOurs ? 'temporarily_unavailable' : 'invalid_request', , detail = message] = known
  return { error, detail }
}
