import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { takePasswordLink } from '../data/session.ts'
import classes from '../parts/forms/form.module.css'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { PlainLayout } from '../shell/plain-layout.tsx'
import { useSession } from '../shell/use-session.ts'
import { NewPasswordFields, useNewPasswordForm } from './new-password-fields.tsx'

/**
 * Sets a new password with a one-time link. The token is in the URL fragment, which browsers do not send to
 * servers.
 */
export function NewPasswordPage() {
  const { t } = useTranslation()
  const [token] = useState(() => window.location.hash.slice(1))
  if (token === '')
    return (
      <PlainLayout title={t('new_password.stale_title')} lead={t('new_password.stale_text')}>
        <Button component={Link} to="/sign-in" fullWidth>
          {t('sign_in.action')}
        </Button>
      </PlainLayout>
    )
  return (
    <PlainLayout title={t('new_password.title')} lead={t('new_password.lead')}>
      <NewPasswordForm token={token} />
    </PlainLayout>
  )
}

function NewPasswordForm({ token }: { token: string }) {
  const { t } = useTranslation()
  const { user } = useSession()
  const form = useNewPasswordForm()
  const { submit, pending, error } = useSubmit(form, takePasswordLink, {
    // A full page load removes everything of another session from memory.
    onDone: () => window.location.assign('/'),
  })
  const isStale = error instanceof Problem && error.code === 'password_link'
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit(({ password }) => submit({ token, password }))}
    >
      {user && !isStale && <Callout tone="warn">{t('new_password.signed_in', { name: user.name })}</Callout>}
      {isStale ? (
        <Callout tone="danger" title={t('new_password.stale_title')} live>
          {t('new_password.stale_text')}
        </Callout>
      ) : (
        <ProblemCallout error={error} />
      )}
      <NewPasswordFields form={form} autoFocus />
      <Button type="submit" fullWidth loading={pending}>
        {t('new_password.action')}
      </Button>
    </form>
  )
}
