import { Refusal } from '../errors.ts'

/** Why the token endpoint says no: OAuth's error (RFC 6749, 5.2) and the hint that clients of the platform know (A3). */
export const tokenRefusals = {
  unreadable: ['invalid_request', 'The request body cannot be read'],
  missing_parameter: ['invalid_request', 'Check the `{}` parameter'],
  unsupported_grant_type: ['unsupported_grant_type', 'Check the `grant_type` parameter'],
  unknown_client: ['invalid_client', 'Check the `client_id` parameter'],
  wrong_secret: ['invalid_client', 'Check the `client_secret` parameter'],
  wrong_redirect_uri: ['invalid_grant', 'Redirect URI is not associated with client'],
  unknown_code: ['invalid_grant', 'Cannot decrypt the authorization code'],
  wrong_account: ['invalid_grant', 'Invalid account'],
  wrong_verifier: ['invalid_grant', 'Failed to verify `code_verifier`'],
  code_revoked: ['invalid_grant', 'Authorization code has been revoked'],
  code_expired: ['invalid_grant', 'Authorization code has expired'],
  unknown_refresh_token: ['invalid_grant', 'Invalid refresh token'],
  refresh_token_expired: ['invalid_grant', 'Refresh token has expired'],
  refresh_token_revoked: ['invalid_grant', 'Token has been revoked'],
} as const satisfies Record<string, readonly [error: string, hint: string]>

export type TokenRefusalCode = keyof typeof tokenRefusals

/** A refusal of the token endpoint. `parameter` fills the hint where it names one. */
export function tokenRefusal(code: TokenRefusalCode, parameter = ''): Refusal {
  return new Refusal('invalid', tokenRefusals[code][1].replace('{}', parameter), { code })
}
