import { Button, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { patchProfile } from '../data/session.ts'
import { languageNames, languages, switchTo } from '../i18n/i18n.ts'
import classes from '../parts/forms/form.module.css'
import { useForm, useStored } from '../parts/forms/use-form.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { Page } from '../parts/layout/page.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { Section } from '../parts/layout/section.tsx'
import { useSignedIn } from '../shell/use-session.ts'
import { NewPasswordFields, useNewPasswordForm } from './new-password-fields.tsx'
import { SessionsSection } from './sessions-section.tsx'

export function ProfilePage() {
  const { t } = useTranslation()
  return (
    <Page title={t('profile.title')} lead={t('profile.lead')}>
      <PersonSection />
      <PasswordSection />
      <SessionsSection />
    </Page>
  )
}

function PersonSection() {
  const { t } = useTranslation()
  const { user } = useSignedIn()
  const stored = { name: user.name, lang: user.lang }
  const form = useForm({
    initialValues: stored,
    validate: { name: (value) => (value.trim() ? null : t('faults.NotBlank')) },
  })
  useStored(form, stored)
  const { submit, pending, error } = useSubmit(form, patchProfile, {
    done: t('app.saved'),
    onDone: (session) => {
      form.resetDirty()
      if (session.user) switchTo(session.user.lang)
    },
  })
  return (
    <Section beside title={t('profile.you')}>
      <form className={classes.form} noValidate onSubmit={form.onSubmit(submit)}>
        <ProblemCallout error={error} />
        <TextInput
          label={t('field.your_name')}
          autoComplete="name"
          maxLength={50}
          required
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('field.email')}
          value={user.email}
          readOnly
          description={t('profile.email_hint')}
        />
        <Select
          label={t('field.language')}
          data={languages.map((value) => ({ value, label: languageNames[value] }))}
          {...form.getInputProps('lang')}
        />
        <div className={classes.end}>
          <Button type="submit" loading={pending} disabled={!form.isDirty()}>
            {t('act.save')}
          </Button>
        </div>
      </form>
    </Section>
  )
}

function PasswordSection() {
  const { t } = useTranslation()
  const form = useNewPasswordForm()
  const { submit, pending, error } = useSubmit(form, patchProfile, {
    done: t('profile.password_changed'),
    onDone: () => form.reset(),
  })
  return (
    <Section beside title={t('profile.password')} lead={t('profile.password_lead')}>
      <form
        className={classes.form}
        noValidate
        onSubmit={form.onSubmit(({ password }) => submit({ password }))}
      >
        <ProblemCallout error={error} />
        <NewPasswordFields form={form} />
        <div className={classes.end}>
          <Button type="submit" loading={pending} disabled={!form.isDirty()}>
            {t('profile.change_password')}
          </Button>
        </div>
      </form>
    </Section>
  )
}
