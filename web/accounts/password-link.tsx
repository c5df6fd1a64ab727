import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { makePasswordLink, type User } from '../data/accounts.ts'
import dialog from '../parts/dialogs/dialog.module.css'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { Copyable } from '../parts/texts/copyable.tsx'
import { useFormat } from '../parts/texts/format.ts'

/** Creates a one-time link that lets the person set a new password. */
export function PasswordLinkButton({ user }: { user: User }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  const format = useFormat()
  const make = useMutation(makePasswordLink)
  const close = () => {
    setOpened(false)
    make.reset()
  }
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {t('password_link.action')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('password_link.title', { name: user.name })}>
        {make.data ? (
          <>
            <div className={dialog.text}>
              <p>{t('password_link.made')}</p>
            </div>
            <Copyable label={t('password_link.link')} value={make.data.url} />
            <div className={dialog.text}>
              <p>{t('password_link.until', { time: format.dateTime(make.data.expires_at) })}</p>
            </div>
          </>
        ) : (
          <div className={dialog.text}>
            <p>{t('password_link.lead')}</p>
            <ProblemCallout error={make.error} />
          </div>
        )}
        <div className={dialog.buttons}>
          <Button variant="default" onClick={close}>
            {make.data ? t('act.close') : t('act.cancel')}
          </Button>
          {!make.data && (
            <Button loading={make.isPending} onClick={() => make.mutate(user.id)}>
              {t('password_link.make')}
            </Button>
          )}
        </div>
      </Dialog>
    </>
  )
}
