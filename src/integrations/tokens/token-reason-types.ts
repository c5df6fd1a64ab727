/** Why a family of tokens was revoked by itself, as it is stored with the grant; the reason that readers see. */
export const revocationCauses = {
  'code.replayed': 'code_replayed',
  'refresh_token.reused': 'refresh_token_reused',
  'tokens.revoked': 'revoked_by_integration',
  'revoked by an administrator': 'revoked_by_administrator',
  'revoked by the test helpers': 'revoked_by_test_helpers',
} as const
export type RevocationCause = keyof typeof revocationCauses

/** Why a whole family of tokens ended. */
const familyReasons = [
  ...Object.values(revocationCauses),
  'integration_disabled',
  'person_deactivated',
  'person_removed',
  'access_lost',
] as const
export type FamilyReason = (typeof familyReasons)[number]

/** Why a token or a code is not accepted any more. */
export const tokenReasons = [...familyReasons, 'expired', 'replaced', 'exchanged'] as const
export type TokenReason = (typeof tokenReasons)[number]

/** Of a pair: waiting for its first use, in use, replaced by the next pair, revoked with its family, or expired. */
export const pairStates = ['unused', 'in_use', 'replaced', 'revoked', 'expired'] as const
export type PairState = (typeof pairStates)[number]
