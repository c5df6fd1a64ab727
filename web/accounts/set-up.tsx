import { Button, TextInput } from '@mantine/core'
import { isEmail } from '@mantine/form'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { setUp } from '../data/session.ts'
import { isLanguage } from '../i18n/i18n.ts'
import classes from '../parts/forms/form.module.css'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { useForm } from '../parts/forms/use-form.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { PlainLayout } from '../shell/plain-layout.tsx'
import { useSession } from '../shell/use-session.ts'
import { passwordRule } from './password-rule.ts'
import sections from './set-up.module.css'
import { subdomainOf } from './subdomain.ts'

const route = getRouteApi('/setup')

/** Creates the first account of an empty server. The server's console shows the link with the token. */
export function SetUpPage() {
  const { t } = useTranslation()
  const { token } = route.useSearch()
  const { setup_needed } = useSession()
  // Keeps the initial value: the set-up itself makes it false before the page is left.
  const [isNeeded] = useState(setup_needed)
  if (!isNeeded) {
    return (
      <PlainLayout title={t('set_up.done_title')} lead={t('set_up.done_text')}>
        <ToSignIn />
      </PlainLayout>
    )
  }
  return (
    <PlainLayout title={t('set_up.title')} lead={t('set_up.lead')} wide>
      {token ? (
        <SetUpForm token={token} />
      ) : (
        <Callout tone="info" title={t('set_up.no_token_title')}>
          {t('set_up.no_token_text')}
        </Callout>
      )}
    </PlainLayout>
  )
}

function ToSignIn() {
  const { t } = useTranslation()
  return (
    <Button component={Link} to="/sign-in" fullWidth>
      {t('sign_in.title')}
    </Button>
  )
}

function useSetUpForm() {
  const { t } = useTranslation()
  return useForm({
    initialValues: { account: '', subdomain: '', name: '', email: '', password: '' },
    validate: {
      account: (value) => (value.trim() ? null : t('faults.NotBlank')),
      subdomain: (value) =>
        /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(value) ? null : t('set_up.subdomain_invalid'),
      name: (value) => (value.trim() ? null : t('faults.NotBlank')),
      email: isEmail(t('faults.email')),
      password: passwordRule(t),
    },
  })
}

function SetUpForm({ token }: { token: string }) {
  const { t, i18n } = useTranslation()
  const router = useRouter()
  const form = useSetUpForm()
  const { submit, pending, error } = useSubmit(form, setUp, { onDone: () => router.navigate({ to: '/' }) })
  const lang = isLanguage(i18n.language) ? i18n.language : undefined
  const { setup_needed } = useSession()
  const stale = error instanceof Problem && [401, 403, 404].includes(error.status)
  // Somebody else, or another tab, was faster.
  if (stale && !setup_needed) {
    return (
      <div className={classes.form}>
        <Callout tone="info" title={t('set_up.done_title')} live>
          {t('set_up.done_text')}
        </Callout>
        <ToSignIn />
      </div>
    )
  }

  const onSubmit = form.onSubmit(({ account, subdomain, ...user }) =>
    submit({ token, account: { name: account, subdomain }, user: { ...user, lang } }),
  )
  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      {stale ? (
        <Callout tone="danger" title={t('set_up.stale_title')} live>
          {t('set_up.no_token_text')}
        </Callout>
      ) : (
        <ProblemCallout error={error} />
      )}
      <AccountFields form={form} />
      <PersonFields form={form} />
      <Button type="submit" loading={pending} fullWidth>
        {t('set_up.action')}
      </Button>
    </form>
  )
}

type SetUpFormState = ReturnType<typeof useSetUpForm>

function AccountFields({ form }: { form: SetUpFormState }) {
  const { t } = useTranslation()
  const { onChange, ...account } = form.getInputProps('account')
  return (
    <fieldset className={sections.fields}>
      <legend>{t('set_up.account')}</legend>
      <TextInput
        label={t('field.account_name')}
        autoComplete="organization"
        maxLength={255}
        required
        {...account}
        onChange={(event) => {
          const untouched = form.getValues().subdomain === subdomainOf(form.getValues().account)
          onChange(event)
          if (untouched) form.setFieldValue('subdomain', subdomainOf(event.currentTarget.value))
        }}
      />
      <TextInput
        label={t('field.subdomain')}
        description={t('set_up.subdomain_hint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={63}
        required
        {...form.getInputProps('subdomain')}
      />
    </fieldset>
  )
}

function PersonFields({ form }: { form: SetUpFormState }) {
  const { t } = useTranslation()
  return (
    <fieldset className={sections.fields}>
      <legend>{t('set_up.you')}</legend>
      <TextInput
        label={t('field.your_name')}
        autoComplete="name"
        maxLength={50}
        required
        {...form.getInputProps('name')}
      />
      <TextInput
        type="email"
        label={t('field.email')}
        autoComplete="username"
        maxLength={254}
        required
        {...form.getInputProps('email')}
      />
      <PasswordField
        label={t('field.password')}
        description={t('field.password_hint')}
        autoComplete="new-password"
        maxLength={256}
        required
        {...form.getInputProps('password')}
      />
    </fieldset>
  )
}
