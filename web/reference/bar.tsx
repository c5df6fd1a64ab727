import { type MouseEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Wordmark } from '../shell/logo.tsx'
import classes from './bar.module.css'
import { caller } from './caller.ts'
import { type Choice, keepChoice, type Place } from './place.ts'

/** The bar above the reference: where the page belongs, and as whom it calls the server. */
export const ReferenceBar = ({ place }: { place: Place }) => (
  <Bar>
    <CallerChoices place={place} />
  </Bar>
)

/** The bar of a reference that could not be loaded. */
export function FailedReferenceBar() {
  const { t } = useTranslation()
  return (
    <Bar>
      <p className={classes.notice} role="alert">
        <span>{t('problems.unreachable')}</span>{' '}
        <a href="/api/reference" onClick={reload}>
          {t('act.try_again')}
        </a>
      </p>
    </Bar>
  )
}

/** A link would leave the operation that the address names. */
const reload = (event: MouseEvent) => {
  event.preventDefault()
  window.location.reload()
}

function Bar({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <header className={classes.bar}>
      <a className={classes.home} href="/" aria-label={t('reference.app')}>
        <Wordmark size={20} />
      </a>
      <span className={classes.title}>{t('reference.title')}</span>
      {children}
    </header>
  )
}

function CallerChoices({ place: { session, integrations, channels } }: { place: Place }) {
  const { t } = useTranslation()
  if (!session.user)
    return (
      <p className={classes.notice}>
        <span>{t('reference.signed_out')}</span> <a href={SIGN_IN}>{t('sign_in.action')}</a>
      </p>
    )
  if (!integrations) return <p className={classes.notice}>{t('reference.not_admin')}</p>
  if (integrations.length === 0)
    return (
      <p className={classes.notice}>
        <span>{t('reference.no_integration')}</span>{' '}
        <a href="/integrations/new">{t('reference.new_integration')}</a>
      </p>
    )
  return (
    <div className={classes.choices}>
      <CallerSelect
        kind="integration"
        label={t('reference.calls_as')}
        hint={t('reference.token_hint')}
        choices={integrations}
      />
      {channels && channels.length > 0 && (
        <CallerSelect
          kind="channel"
          label={t('reference.signs_as')}
          hint={t('reference.signature_hint')}
          choices={channels}
        />
      )}
    </div>
  )
}

const SIGN_IN = '/sign-in?to=%2Fapi%2Freference'

function CallerSelect({
  kind,
  label,
  hint,
  choices,
}: {
  kind: 'integration' | 'channel'
  label: string
  hint: string
  choices: Choice[]
}) {
  const [chosen, setChosen] = useState(caller[kind])
  const choose = (id: string) => {
    keepChoice(kind, id)
    caller[kind] = id
    setChosen(id)
    // The ids of the channel are in the addresses that the page shows.
    if (kind === 'channel') window.location.reload()
  }
  return (
    <label className={classes.choice} title={hint}>
      <span>{label}</span>
      <select value={chosen} onChange={({ target }) => choose(target.value)}>
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
