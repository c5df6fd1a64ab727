import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Copyable } from '../parts/texts/copyable.tsx'
import { useSignedIn } from '../shell/use-session.ts'
import classes from './marketing.module.css'

interface ApiCallProps {
  method: 'POST'
  /** Relative to `/api/v4`. */
  path: string
  body?: unknown
  /** Explains the call. */
  children: ReactNode
}

/** An API call to copy, collapsed by default. */
export function ApiCall({ method, path, body, children }: ApiCallProps) {
  const { t } = useTranslation()
  const { account } = useSignedIn()
  const parts = [
    `curl -X ${method} '${account?.url ?? ''}/api/v4${path}'`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`]),
  ]
  return (
    <details className={classes.api}>
      <summary>{t('marketing.by_api')}</summary>
      <div className={classes.call}>
        <p>{children}</p>
        <Copyable label={t('marketing.call')} value={parts.join(' ')} />
      </div>
    </details>
  )
}
