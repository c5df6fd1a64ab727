import { VisuallyHidden } from '@mantine/core'
import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useIntegrationNames } from '../data/integration-names.ts'
import type { LoggedRequest } from '../data/requests.ts'
import { useFormat } from '../parts/texts/format.ts'
import { addressOf } from './address.ts'
import classes from './requests.module.css'
import { StatusCode } from './status-code.tsx'
import { useRemark } from './use-remark.ts'

/** A request in one line, with why it was refused or what nothing reads. It leads to its page. */
export const RequestRow = memo(function RequestRow({ request }: { request: LoggedRequest }) {
  const { t } = useTranslation()
  const format = useFormat()
  const names = useIntegrationNames()
  const { id, at, status, method, direction, duration_ms, integration_id } = request
  const Way = direction === 'in' ? IconArrowDownLeft : IconArrowUpRight
  const address = addressOf(request)
  return (
    <Link
      to="/developers/requests/$requestId"
      params={{ requestId: String(id) }}
      className={classes.row}
      data-log-row
    >
      <span className={classes.way} data-direction={direction} title={t(`requests.direction.${direction}`)}>
        <Way size={14} stroke={1.7} aria-hidden />
        <VisuallyHidden>{t(`requests.direction.${direction}`)}</VisuallyHidden>
      </span>
      <time className={classes.time} dateTime={new Date(at).toISOString()} title={format.exact(at / 1000)}>
        {format.clock(at / 1000)}
      </time>
      <StatusCode status={status} />
      <span className={classes.method}>{method}</span>
      <span className={classes.address} title={address}>
        {address}
      </span>
      <Remark request={request} />
      <span className={classes.integration}>{integration_id && names.get(integration_id)}</span>
      <span className={classes.duration}>{t('requests.ms', { number: format.number(duration_ms) })}</span>
    </Link>
  )
})

function Remark({ request }: { request: LoggedRequest }) {
  const text = useRemark()(request)
  return (
    <span className={classes.remark} title={text}>
      {text}
    </span>
  )
}
