import { useTranslation } from 'react-i18next'
import type { TokenFamily, TokenPair } from '../../data/tokens.ts'
import { Status, type Tone } from '../../parts/layout/status.tsx'

export const tones = {
  unused: 'warn',
  in_use: 'good',
  replaced: 'off',
  revoked: 'danger',
  expired: 'danger',
} as const satisfies Record<TokenPair['state'], Tone>

export function PairState({ state }: Pick<TokenPair, 'state'>) {
  const { t } = useTranslation()
  return <Status tone={tones[state]}>{t(`tokens.state.${state}`)}</Status>
}

/** The state of a family is that of its newest pair. */
export function FamilyState({ family: { end, newest } }: { family: Pick<TokenFamily, 'end' | 'newest'> }) {
  return <PairState state={end ? 'revoked' : (newest?.state ?? 'expired')} />
}
