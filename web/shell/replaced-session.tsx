import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { connection } from '../api/client.ts'
import { queryClient } from '../data/query-client.ts'
import { chooseAccount, keepSession, type Session, type SessionAccount } from '../data/session.ts'
import { BareDialog } from '../parts/dialogs/bare-dialog.tsx'
import dialog from '../parts/dialogs/dialog.module.css'
import { leaveFor } from '../parts/forms/unsaved.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { useSignedIn } from './use-session.ts'

/** Another tab has chosen another account or signed in another person, so this page can read and save nothing. */
export function ReplacedSession() {
  const { user, account } = useSignedIn()
  const [session, setSession] = useState<Session>()
  useEffect(() => {
    const { replaced } = connection
    connection.replaced = setSession
    return () => {
      connection.replaced = replaced
    }
  }, [])
  if (!session) return null
  const isSamePerson = session.user?.id === user.id
  if (isSamePerson && account)
    return <OtherAccount own={account} session={session} onReturned={() => setSession(undefined)} />
  return <OtherPerson name={session.user?.name ?? ''} />
}

interface OtherAccountProps {
  own: SessionAccount
  session: Session
  onReturned: () => void
}

function OtherAccount({ own, session, onReturned }: OtherAccountProps) {
  const { t } = useTranslation()
  const choose = useAction(chooseAccount)
  const name = session.account?.name ?? ''
  const goBack = () => {
    connection.csrfToken = session.csrf_token
    choose.run(own.id, (chosen) => {
      keepSession(chosen)
      // Reads were refused meanwhile.
      void queryClient.invalidateQueries()
      onReturned()
    })
  }
  return (
    <FixedDialog title={t('replaced.account_title')}>
      <p className={dialog.text}>{t('replaced.account_text', { name, own: own.name })}</p>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={() => leaveFor('/')}>
          {t('replaced.open', { name })}
        </Button>
        <Button onClick={goBack} loading={choose.pending} data-autofocus>
          {t('replaced.back', { own: own.name })}
        </Button>
      </div>
    </FixedDialog>
  )
}

function OtherPerson({ name }: { name: string }) {
  const { t } = useTranslation()
  return (
    <FixedDialog title={t('replaced.person_title')}>
      <p className={dialog.text}>{t('replaced.person_text', { name })}</p>
      <div className={dialog.buttons}>
        <Button onClick={() => leaveFor('/')} data-autofocus>
          {t('replaced.reload')}
        </Button>
      </div>
    </FixedDialog>
  )
}

/** A dialog that only its buttons close. It is above every other. */
function FixedDialog({ title, children }: { title: string; children: ReactNode }) {
  return (
    <BareDialog
      title={title}
      onClose={() => {}}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      zIndex={340}
    >
      {children}
    </BareDialog>
  )
}
