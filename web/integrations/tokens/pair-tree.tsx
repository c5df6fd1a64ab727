import { useTranslation } from 'react-i18next'
import type { TokenPair } from '../../data/tokens.ts'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { EndText, RequestLink } from './end-text.tsx'
import { PairState, tones } from './token-state.tsx'
import classes from './tokens.module.css'

/** The pairs of a family, the newest first. Each was issued for the refresh token of the one below it. */
export function PairTree({ pairs }: { pairs: TokenPair[] }) {
  const { t } = useTranslation()
  return (
    <ol className={classes.tree} aria-label={t('tokens.pairs')} reversed>
      {pairs.map((pair) => (
        <li key={pair.generation} className={classes.pair} data-tone={tones[pair.state]}>
          <div className={classes.head}>
            <span className={classes.name}>{t('tokens.pair', { number: pair.generation })}</span>
            <PairState state={pair.state} />
          </div>
          <PairFacts pair={pair} />
        </li>
      ))}
    </ol>
  )
}

function PairFacts({ pair }: { pair: TokenPair }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { issued_at, issued_request_id, first_use, last_use, access_token, refresh_token, elsewhere } = pair
  const use = (one: TokenPair['first_use']) =>
    one && <Moment key={one.at} at={one.at} request_id={one.request_id} />
  return (
    <DescriptionList
      of={[
        [t('tokens.fact.issued'), <Moment key="issued" at={issued_at} request_id={issued_request_id} />],
        [t('tokens.fact.first_use'), use(first_use)],
        [t('tokens.fact.last_use'), use(last_use)],
        [t('tokens.kind.access_token'), <OneToken key="access" of={access_token} />],
        [t('tokens.kind.refresh_token'), refresh_token && <OneToken key="refresh" of={refresh_token} />],
        [
          t('tokens.fact.refused'),
          elsewhere && t('tokens.elsewhere', { time: format.exact(elsewhere.at), host: elsewhere.host }),
        ],
      ]}
    />
  )
}

function Moment({ at, request_id }: { at: number; request_id: string | null }) {
  const format = useFormat()
  return (
    <>
      {format.exact(at)} <RequestLink id={request_id} />
    </>
  )
}

function OneToken({ of: { expires_at, end } }: { of: TokenPair['access_token'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return end ? <EndText end={end} /> : t('tokens.until', { time: format.exact(expires_at) })
}
