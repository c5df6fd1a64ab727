import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { signIn } from '../data/session.ts'
import form from '../parts/forms/form.module.css'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { Callout } from '../parts/layout/callout.tsx'
import { useProblemText } from '../parts/layout/problem-text.ts'
import { clock, useNow } from '../parts/texts/use-now.ts'
import { PlainLayout } from '../shell/plain-layout.tsx'
import { useSession } from '../shell/use-session.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { t } = useTranslation()
  const { to, ended } = route.useSearch()
  const { mode } = useSession()
  const lead = to?.startsWith('/oauth') ? t('sign_in.for_consent') : undefined
  // In development, the demo's password is in the server's console.
  const hint = mode === 'dev' ? t('sign_in.dev') : undefined
  return (
    <PlainLayout title={t('sign_in.title')} lead={lead ?? hint}>
      <SignInForm to={to ?? '/'} hasEnded={ended !== undefined} />
    </PlainLayout>
  )
}

interface SignInFormProps {
  to: string
  /** The person was signed in, and the server ended it. */
  hasEnded: boolean
}

function SignInForm({ to, hasEnded }: SignInFormProps) {
  const { t } = useTranslation()
  const fields = useForm({ initialValues: { email: '', password: '' } })
  const enter = useMutation(signIn)
  const [allowedAt, setAllowedAt] = useState(0)
  const wait = allowedAt - useNow()

  const submit = fields.onSubmit((values) =>
    enter.mutate(values, {
      // A full page load: the consent page needs its own response headers.
      onSuccess: () => window.location.assign(to),
      onError: (error) => {
        if (error instanceof Problem && error.retryAfter)
          setAllowedAt(Math.floor(Date.now() / 1000) + error.retryAfter)
        fields.getInputNode('password')?.focus()
      },
    }),
  )
  return (
    <form className={form.form} onSubmit={submit}>
      {hasEnded && (
        <Callout tone="info" title={t('sign_in.ended')}>
          {t('sign_in.ended_text')}
        </Callout>
      )}
      {wait > 0 ? (
        <Callout tone="warn" title={t('sign_in.too_many')} live>
          {/* Screen readers must not announce every second. */}
          <span role="timer" aria-live="off">
            {t('sign_in.wait', { time: clock(wait) })}
          </span>
        </Callout>
      ) : (
        <SignInProblem error={enter.error} />
      )}
      <TextInput
        type="email"
        label={t('field.email')}
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
        {...fields.getInputProps('email')}
      />
      <PasswordField
        label={t('field.password')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        {...fields.getInputProps('password')}
      />
      <Button type="submit" fullWidth loading={enter.isPending} disabled={wait > 0}>
        {t('sign_in.action')}
      </Button>
    </form>
  )
}

function SignInProblem({ error }: { error: Error | null }) {
  const { t } = useTranslation()
  const text = useProblemText()
  if (!error || (error instanceof Problem && error.status === 429)) return null
  if (error instanceof Problem && error.status === 401) {
    return (
      <Callout tone="danger" title={t('sign_in.wrong')} live>
        {t('sign_in.wrong_hint')}
      </Callout>
    )
  }
  const { title, detail } = text(error)
  return (
    <Callout tone="danger" title={title} live>
      {detail}
    </Callout>
  )
}
