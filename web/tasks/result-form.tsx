import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './task-row.module.css'

/** Maximum length of a result. */
const MOST = 10_000

/** Asks for the optional result of a task. */
export function ResultForm({ onDone, onCancel }: { onDone: (result: string) => void; onCancel: () => void }) {
  const { t } = useTranslation()
  const [result, setResult] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onDone(result)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onCancel()
  }
  return (
    <form className={classes.ending} onSubmit={submit} onKeyDown={onKeyDown}>
      <TextInput
        autoFocus
        maxLength={MOST}
        aria-label={t('tasks.result')}
        placeholder={t('tasks.result_hint')}
        value={result}
        onChange={({ currentTarget }) => setResult(currentTarget.value)}
      />
      <Button type="submit">{t('tasks.complete_it')}</Button>
      <Button variant="subtle" color="gray" onClick={onCancel}>
        {t('act.cancel')}
      </Button>
    </form>
  )
}
