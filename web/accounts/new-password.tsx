import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { takePasswordLink } from '../data/session.ts'
import { Callout } from '../parts/callout.tsx'
import classes from '../parts/form.module.css'
import { PasswordField } from '../parts/password-field.tsx'
import { ProblemCallout } from '../parts/problem-callout.tsx'
import { useForm } from '../parts/use-form.ts'
import { useSubmit } from '../parts/use-submit.ts'
import { PlainLayout } from '../shell/plain-layout.tsx'
import { passwordRule } from './password-rule.ts'

/** A new password by a one-time link. Its token stands behind the hash of the address, which no server and no log gets. */
export function NewPasswordPage() {
  const { t } = useTranslation()
  const [token] = useState(() => window.location.hash.slice(1))
  return (
    <PlainLayout title={t('new_password.title')} lead={t('new_password.lead')}>
      {token === '' ? (
        <Callout tone="info" title={t('new_password.stale_title')}>
          {t('new_password.stale_text')}
        </Callout>
      ) : (
        <NewPasswordForm token={token} />
      )}
    </PlainLayout>
  )
}

function NewPasswordForm({ token }: { token: string }) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { password: '', again: '' },
    validate: {
      password: passwordRule(t),
      again: (value, { password }) => (value === password ? null : t('profile.not_same')),
    },
  })
  const { submit, pending, error } = useSubmit(form, takePasswordLink, {
    // Loaded anew, so that nothing of another session stays in memory.
    onDone: () => window.location.assign('/'),
  })
  const isStale = error instanceof Problem && error.code === 'password_link'
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit(({ password }) => submit({ token, password }))}
    >
      {isStale ? (
        <Callout tone="danger" title={t('new_password.stale_title')} live>
          {t('new_password.stale_text')}
        </Callout>
      ) : (
        <ProblemCallout error={error} />
      )}
      <PasswordField
        label={t('profile.new_password')}
        description={t('field.password_hint')}
        autoComplete="new-password"
        autoFocus
        maxLength={256}
        {...form.getInputProps('password')}
      />
      <PasswordField
        label={t('profile.again')}
        autoComplete="new-password"
        maxLength={256}
        {...form.getInputProps('again')}
      />
      <Button type="submit" fullWidth loading={pending}>
        {t('new_password.action')}
      </Button>
    </form>
  )
}
