import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { patchUser, removeUser, switchUser, type User, userOptions } from '../data/accounts.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { SaveBar } from '../parts/forms/save-bar.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { useStored } from '../parts/forms/use-form.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { useSignedIn } from '../shell/use-session.ts'
import { PasswordLinkButton } from './password-link.tsx'
import { PersonFields } from './person-fields.tsx'
import { bodyOf, draftOf, usePersonForm } from './person-form.ts'
import { RecordsOfPerson } from './records-of-person.tsx'
import { changesOf } from './rights.ts'

const route = getRouteApi('/shell/settings/people/$userId')

export function PersonPage() {
  const { t } = useTranslation()
  const { userId } = route.useParams()
  const query = useQuery(userOptions(Number(userId)))
  const { user: me } = useSignedIn()
  const user = query.data
  return (
    <Page
      title={user?.name ?? t('people.one')}
      lead={user?.email}
      back={{ to: '/settings/people', label: t('people.title') }}
      actions={user && user.id !== me.id && <PersonActions user={user} />}
    >
      <Loaded query={query}>{(found) => <PersonEditor key={found.id} user={found} />}</Loaded>
    </Page>
  )
}

function PersonEditor({ user }: { user: User }) {
  const { t } = useTranslation()
  const { user: me } = useSignedIn()
  const stored = draftOf(user)
  const form = usePersonForm(stored, false)
  useStored(form, stored)
  const { submit, pending, error } = useSubmit(form, patchUser, {
    done: t('app.saved'),
    onDone: (patched, sent) => form.restart(draftOf(patched), sent),
  })
  const changes = changesOf(bodyOf(form.values), bodyOf(stored))
  const isChanged = Object.keys(changes).length > 0
  return (
    <form noValidate onSubmit={form.onSubmit(() => submit({ id: user.id, ...changes }))}>
      {!user.rights.is_active && (
        <Callout tone="warn" title={t('person.inactive_title')}>
          {t('person.inactive_text')}
        </Callout>
      )}
      <PersonFields form={form} isNew={false} isOwn={user.id === me.id} />
      <ProblemCallout error={error} />
      <SaveBar shown={isChanged} pending={pending} onDiscard={() => form.restart(stored)} />
    </form>
  )
}

/** People cannot do these to themselves, so that an account keeps an administrator. */
function PersonActions({ user }: { user: User }) {
  const { t } = useTranslation()
  const { id, rights } = user
  const [asked, ask] = useState<Step>()
  const turn = useAction(switchUser, t('person.activated'))
  return (
    <>
      <PasswordLinkButton user={user} />
      <Button
        variant="default"
        loading={turn.pending}
        onClick={() => (rights.is_active ? ask('deactivate') : turn.run({ id, active: true }))}
      >
        {t(rights.is_active ? 'person.deactivate' : 'person.activate')}
      </Button>
      <Button variant="default" onClick={() => ask('remove')}>
        {t('person.remove')}
      </Button>
      {asked && <ConfirmStep user={user} step={asked} onClose={() => ask(undefined)} />}
    </>
  )
}

/** Both end tokens of integrations, which cannot be restored. */
type Step = 'deactivate' | 'remove'

function ConfirmStep({ user: { id, name }, step, onClose }: { user: User; step: Step; onClose: () => void }) {
  const { t } = useTranslation()
  const router = useRouter()
  const turn = useAction(switchUser, t('person.deactivated'))
  const remove = useAction(removeUser, t('person.removed'))
  const toList = () => router.navigate({ to: '/settings/people', ignoreBlocker: true })
  return (
    <Confirm
      opened
      title={t(`person.${step}_title`, { name })}
      action={t(`person.${step}`)}
      pending={turn.pending || remove.pending}
      onConfirm={() =>
        step === 'remove' ? remove.run(id, toList) : turn.run({ id, active: false }, onClose)
      }
      onClose={onClose}
    >
      <p>{t(`person.${step}_text`)}</p>
      <RecordsOfPerson id={id} />
    </Confirm>
  )
}
