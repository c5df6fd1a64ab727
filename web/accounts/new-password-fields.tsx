import { useTranslation } from 'react-i18next'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { useForm } from '../parts/forms/use-form.ts'
import { passwordRule } from './password-rule.ts'

/** A form with a new password and its repetition. */
export function useNewPasswordForm() {
  const { t } = useTranslation()
  return useForm({
    initialValues: { password: '', repeated: '' },
    validate: {
      password: passwordRule(t),
      repeated: (value, { password }) => (value === password ? null : t('profile.not_same')),
    },
  })
}

interface NewPasswordFieldsProps {
  form: ReturnType<typeof useNewPasswordForm>
  autoFocus?: boolean
}

/** The inputs of a new password and its repetition. */
export function NewPasswordFields({ form, autoFocus = false }: NewPasswordFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <PasswordField
        label={t('profile.new_password')}
        description={t('field.password_hint')}
        autoComplete="new-password"
        autoFocus={autoFocus}
        maxLength={256}
        {...form.getInputProps('password')}
      />
      <PasswordField
        label={t('profile.again')}
        autoComplete="new-password"
        maxLength={256}
        {...form.getInputProps('repeated')}
      />
    </>
  )
}
