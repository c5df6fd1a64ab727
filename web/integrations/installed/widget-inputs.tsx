import { Input, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Colleague } from '../../data/colleagues.ts'
import type { WidgetSetting } from '../../data/widgets.ts'
import classes from '../../parts/forms/form.module.css'
import { PasswordField } from '../../parts/forms/password-field.tsx'

interface SettingInputProps {
  setting: WidgetSetting
  /** The widget is installed, so an empty password keeps the stored one. */
  isKept: boolean
}

export function SettingInput({
  setting: { key, name, type, is_required },
  isKept,
  ...input
}: SettingInputProps) {
  const { t } = useTranslation()
  const label = name || key
  if (type !== 'pass') return <TextInput label={label} required={is_required} {...input} />
  return (
    <PasswordField
      label={label}
      required={is_required && !isKept}
      description={isKept ? t('widget.password_kept') : undefined}
      autoComplete="new-password"
      {...input}
    />
  )
}

interface UsersInputProps {
  setting: WidgetSetting
  people: readonly Colleague[]
  value?: Record<string, string>
  error?: ReactNode
  onChange?: (value: Record<string, string>) => void
}

/** A text for each person, such as an extension. */
export function UsersInput({ setting, people, value = {}, error, onChange }: UsersInputProps) {
  const { key, name, is_required } = setting
  return (
    <Input.Wrapper labelElement="div" label={name || key} required={is_required} error={error}>
      <div className={classes.checks}>
        {people.map((person) => (
          <TextInput
            key={person.id}
            label={person.name}
            aria-invalid={error ? true : undefined}
            value={value[person.id] ?? ''}
            onChange={({ currentTarget }) => {
              const { [person.id]: _, ...rest } = value
              onChange?.(currentTarget.value === '' ? rest : { ...rest, [person.id]: currentTarget.value })
            }}
          />
        ))}
      </div>
    </Input.Wrapper>
  )
}
