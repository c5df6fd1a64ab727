import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { connection } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import { confirmPassword } from '../data/session.ts'
import dialog from '../parts/dialogs/dialog.module.css'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { useProblemText } from '../parts/layout/problem-text.ts'

/** Asks for the password when the server requires it again, and then continues the request. */
export function PasswordPrompt() {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  const answer = useRef<(confirmed: boolean) => void>(undefined)

  useEffect(() => {
    connection.askPassword = () =>
      new Promise((resolve) => {
        answer.current?.(false)
        answer.current = resolve
        setOpened(true)
      })
    return () => {
      connection.askPassword = async () => false
    }
  }, [])

  const finish = (confirmed: boolean) => {
    setOpened(false)
    answer.current?.(confirmed)
    answer.current = undefined
  }
  return (
    <Dialog opened={opened} onClose={() => finish(false)} title={t('password.title')} zIndex={320}>
      <PasswordForm onConfirmed={() => finish(true)} onCancel={() => finish(false)} />
    </Dialog>
  )
}

function PasswordForm({ onConfirmed, onCancel }: { onConfirmed: () => void; onCancel: () => void }) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const confirm = useMutation(confirmPassword)
  const text = useProblemText()
  const wrong = confirm.error instanceof Problem && [401, 403].includes(confirm.error.status)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate(password, { onSuccess: onConfirmed })
  }
  return (
    <form onSubmit={submit}>
      <div className={dialog.text}>
        <p>{t('password.why')}</p>
        <PasswordField
          label={t('field.password')}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={confirm.error && (wrong ? t('password.wrong') : text(confirm.error).title)}
          data-autofocus
          required
          withAsterisk={false}
        />
      </div>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onCancel}>
          {t('act.cancel')}
        </Button>
        <Button type="submit" loading={confirm.isPending}>
          {t('act.continue')}
        </Button>
      </div>
    </form>
  )
}
