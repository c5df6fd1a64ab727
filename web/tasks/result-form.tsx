import { Button, TextInput } from '@mantine/core'
import type { FormEvent, KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './task-row.module.css'

/** Maximum length of a result. */
const MOST = 10_000

interface ResultFormProps {
  value: string
  onChange: (text: string) => void
  /** The person asked for the form, so it takes the focus. */
  isAsked: boolean
  onDone: () => void
  onCancel: () => void
}

/** Asks for the optional result of a task. */
export function ResultForm({ value, onChange, isAsked, onDone, onCancel }: ResultFormProps) {
  const { t } = useTranslation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onDone()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onCancel()
  }
  return (
    <form className={classes.ending} onSubmit={submit} onKeyDown={onKeyDown}>
      <TextInput
        autoFocus={isAsked}
        maxLength={MOST}
        aria-label={t('tasks.result')}
        placeholder={t('tasks.result_hint')}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Button type="submit">{t('tasks.complete_it')}</Button>
      <Button variant="subtle" color="gray" onClick={onCancel}>
        {t('act.cancel')}
      </Button>
    </form>
  )
}
