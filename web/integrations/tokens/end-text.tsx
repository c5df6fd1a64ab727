import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { TokenEnd } from '../../data/tokens.ts'
import { useFormat } from '../../parts/texts/format.ts'
import classes from './tokens.module.css'

/** A link to a request in the request log. */
export function RequestLink({ id }: { id: string | null }) {
  const { t } = useTranslation()
  if (id === null) return null
  return (
    <Link to="/developers/requests" search={{ request_id: id }} title={id} className={classes.link}>
      {t('tokens.request')}
    </Link>
  )
}

/** Why a token is dead, in a sentence. `person` is the name of the one who ended it. */
export function useEndSentence(): (
  end: Pick<TokenEnd, 'reason' | 'at' | 'request_id'>,
  person: string | undefined,
) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return ({ reason, at, request_id }, person) => {
    const time = at === null ? '' : format.exact(at)
    const isAltered = reason === 'expired' && request_id !== null
    return isAltered
      ? t('tokens.expired_by_test', { time })
      : t(`tokens.reason.${reason}`, { time, person: person ?? t('app.removed_person') })
  }
}

/** Why a token is dead, with links to the requests that caused it. `short` leaves the links out. */
export function EndText({ end, short }: { end: TokenEnd; short?: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sentence = useEndSentence()
  const { by, request_id, used_at, used_request_id } = end
  const text = sentence(end, by?.name)
  if (short) return text
  return (
    <>
      {text} <RequestLink id={request_id} />
      {used_request_id !== null && (
        <>
          {' · '}
          {t('tokens.next_used', { time: used_at === null ? '' : format.exact(used_at) })}{' '}
          <RequestLink id={used_request_id} />
        </>
      )}
    </>
  )
}
