import { Button, Radio } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Consent } from '../../data/consent.ts'
import { signOut } from '../../data/session.ts'
import { SearchSelect } from '../../parts/forms/search-select.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { Callout } from '../../parts/layout/callout.tsx'
import { PlainLayout } from '../../shell/plain-layout.tsx'
import { useSession } from '../../shell/use-session.ts'
import { PermissionList } from '../permission-list.tsx'
import classes from './consent.module.css'
import { ConsentPatch } from './consent-patch.tsx'
import { signInFirst } from './sign-in-first.ts'

export function ConsentCard({ consent }: { consent: Consent }) {
  const { t } = useTranslation()
  const { integration, accounts, warnings } = consent
  const [account, setAccount] = useState(String(accounts[0]?.id ?? ''))
  const chosen = accounts.find(({ id }) => String(id) === account)
  return (
    <PlainLayout title={t('consent.title', { name: integration.name })} untitled wide>
      <ConsentPatch integration={integration} account={chosen} />
      <h1 className={classes.title}>{t('consent.title', { name: integration.name })}</h1>
      <p className={classes.by}>
        {t('consent.by', { developer: integration.developer.name })}
        <span aria-hidden>{' · '}</span>
        <span className={classes.host}>{integration.redirect_host}</span>
      </p>
      <h2 className={classes.head}>{t('consent.will')}</h2>
      <PermissionList permissions={integration.permissions} />
      <p className={classes.note}>{t('consent.as_you')}</p>
      {warnings.map((warning) => (
        <div key={warning} className={classes.warning}>
          <Callout tone="warn" title={t(`consent.warning.${warning}`)}>
            {t('consent.dev_only')}
          </Callout>
        </div>
      ))}
      <Decision consent={consent} account={account} onAccount={setAccount} />
      <SignedInAs />
    </PlainLayout>
  )
}

interface DecisionProps {
  consent: Consent
  account: string
  onAccount: (id: string) => void
}

/** A real form, because only the browser can follow the redirect to the integrator. */
function Decision({ consent, account, onAccount }: DecisionProps) {
  const { t } = useTranslation()
  const sent = useRef(false)
  const once = (event: FormEvent) => {
    // The form token allows one decision; a second click must not invalidate the first.
    if (sent.current) event.preventDefault()
    sent.current = true
  }
  const chosen = consent.accounts.find(({ id }) => String(id) === account)
  return (
    <form className={classes.decision} method="post" action="/oauth" onSubmit={once}>
      <input type="hidden" name="form_token" value={consent.form_token} />
      <input type="hidden" name="account_id" value={account} />
      <AccountChoice consent={consent} account={account} onAccount={onAccount} />
      {chosen?.is_installed && <p className={classes.note}>{t('consent.installed_already')}</p>}
      <div className={classes.buttons} data-decision>
        <Button type="submit" name="decision" value="decline" variant="default">
          {t('consent.decline')}
        </Button>
        <Button type="submit" name="decision" value="allow">
          {t('consent.allow')}
        </Button>
      </div>
      <p className={classes.after}>{t('consent.after', { host: consent.integration.redirect_host })}</p>
    </form>
  )
}

function AccountChoice({ consent: { accounts }, account, onAccount }: DecisionProps) {
  const { t } = useTranslation()
  if (accounts.length > 4) {
    return (
      <SearchSelect
        label={t('consent.account')}
        className={classes.accounts}
        data={accounts.map(({ id, name, host }) => ({ value: String(id), label: `${name} (${host})` }))}
        value={account}
        onChange={(value) => value && onAccount(value)}
      />
    )
  }
  return (
    <Radio.Group
      label={t('consent.account')}
      className={classes.accounts}
      value={account}
      onChange={onAccount}
    >
      <div className={classes.choices}>
        {accounts.map(({ id, name, host }) => (
          <Radio key={id} value={String(id)} size="xs" label={name} description={host} />
        ))}
      </div>
    </Radio.Group>
  )
}

/** Lets people sign in as another person. */
function SignedInAs() {
  const { t } = useTranslation()
  const { user } = useSession()
  const leave = useAction(signOut)
  return (
    <p className={classes.signed}>
      {user && t('consent.signed_in', { email: user.email })}{' '}
      <button
        type="button"
        className={classes.link}
        onClick={() => leave.run(undefined, () => window.location.assign(signInFirst()))}
      >
        {t('consent.other_person')}
      </button>
    </p>
  )
}
