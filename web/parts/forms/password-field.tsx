import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A password input with a translated visibility button. Mantine does not mark its input as invalid. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ 'aria-label': t('field.show_password') }}
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  )
}
