import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { explainToken, type TokenExplanation } from '../../data/tokens.ts'
import { useFocusBack } from '../../parts/dialogs/use-focus-back.ts'
import { PasswordField } from '../../parts/forms/password-field.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { Callout } from '../../parts/layout/callout.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { EndText, RequestLink } from './end-text.tsx'
import classes from './tokens.module.css'

/** Explains a token or a code that is pasted. The field forgets it. */
export function ExplainForm() {
  const { t } = useTranslation()
  const [token, setToken] = useState('')
  const explain = useAction(explainToken)
  const form = useRef<HTMLFormElement>(null)
  useFocusBack(form, explain.pending, 'input')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    explain.run(token, () => setToken(''))
  }
  return (
    <div className={classes.explain}>
      <form ref={form} className={classes.form} onSubmit={submit}>
        <PasswordField
          className={classes.field}
          label={t('tokens.explain.label')}
          description={t('tokens.explain.hint')}
          autoComplete="off"
          maxLength={4096}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <Button type="submit" loading={explain.pending} disabled={token.trim() === ''}>
          {t('tokens.explain.submit')}
        </Button>
      </form>
      {explain.data && <Explanation of={explain.data} />}
    </div>
  )
}

function Explanation({ of: { kind, state, unknown, grant_id, ...rest } }: { of: TokenExplanation }) {
  const { t } = useTranslation()
  if (kind === null)
    return (
      <Callout tone="warn" live title={t('tokens.explain.unknown')}>
        {t(`tokens.unknown.${unknown ?? 'not_issued'}`)}
      </Callout>
    )
  return (
    <Callout
      tone={state === 'valid' ? 'info' : 'warn'}
      live
      title={t(`tokens.explain.${state === 'valid' ? 'valid' : 'dead'}`, {
        token: t(`tokens.kind.${rest.is_long_lived ? 'long_lived' : kind}`),
      })}
      actions={
        grant_id && (
          <Link to="/developers/tokens/$grantId" params={{ grantId: grant_id }}>
            {t('tokens.explain.family', { name: rest.integration?.name })}
          </Link>
        )
      }
    >
      <Facts of={{ ...rest, kind }} />
    </Callout>
  )
}

type Known = Pick<
  TokenExplanation,
  'kind' | 'end' | 'consent_end' | 'elsewhere' | 'waiting_pair' | 'last_use' | 'expires_at'
>

function Facts({
  of: { kind, end, consent_end, elsewhere, waiting_pair, last_use, expires_at },
}: {
  of: Known
}) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <ul className={classes.sentences}>
      {end && (
        <li>
          <EndText end={end} />
        </li>
      )}
      {consent_end && (
        <li>
          {t('tokens.consent_ended')} <EndText end={consent_end} />
        </li>
      )}
      {!end && expires_at !== null && <li>{t('tokens.until', { time: format.exact(expires_at) })}</li>}
      {waiting_pair && (
        <li>
          {t('tokens.waiting_pair', { time: format.exact(waiting_pair.at) })}{' '}
          <RequestLink id={waiting_pair.request_id} />
        </li>
      )}
      {kind === 'access_token' && last_use && (
        <li>
          {t('tokens.last_used', { time: format.exact(last_use.at) })}{' '}
          <RequestLink id={last_use.request_id} />
        </li>
      )}
      {elsewhere && (
        <li>{t('tokens.elsewhere', { time: format.exact(elsewhere.at), host: elsewhere.host })}</li>
      )}
    </ul>
  )
}
