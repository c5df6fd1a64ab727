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
  const stored = draftOf(user)
  const form = usePersonForm(stored, false)
  useStored(form, stored)
  const { submit, pending, error } = useSubmit(form, patchUser, {
    done: t('app.saved'),
    onDone: (patched) => form.restart(draftOf(patched)),
  })
  const changed = JSON.stringify(bodyOf(form.values)) !== JSON.stringify(bodyOf(stored))
  return (
    <form noValidate onSubmit={form.onSubmit((draft) => submit({ id: user.id, ...bodyOf(draft) }))}>
      {!user.rights.is_active && (
        <Callout tone="warn" title={t('person.inactive_title')}>
          {t('person.inactive_text')}
        </Callout>
      )}
      <PersonFields form={form} isNew={false} />
      <ProblemCallout error={error} />
      <SaveBar shown={changed} pending={pending} onDiscard={() => form.restart(stored)} />
    </form>
  )
}

/** People cannot do these to themselves, so that an account keeps an administrator. */
function PersonActions({ user }: { user: User }) {
  const { t } = useTranslation()
  const router = useRouter()
  const [removing, setRemoving] = useState(false)
  const { is_active } = user.rights
  const turn = useAction(switchUser, is_active ? t('person.deactivated') : t('person.activated'))
  const remove = useAction(removeUser, t('person.removed'))
  return (
    <>
      <PasswordLinkButton user={user} />
      <Button
        variant="default"
        loading={turn.pending}
        onClick={() => turn.run({ id: user.id, active: !is_active })}
      >
        {is_active ? t('person.deactivate') : t('person.activate')}
      </Button>
      <Button variant="default" onClick={() => setRemoving(true)}>
        {t('person.remove')}
      </Button>
      <Confirm
        opened={removing}
        title={t('person.remove_title', { name: user.name })}
        action={t('person.remove')}
        pending={remove.pending}
        onConfirm={() =>
          remove.run(user.id, () => router.navigate({ to: '/settings/people', ignoreBlocker: true }))
        }
        onClose={() => setRemoving(false)}
      >
        <p>{t('person.remove_text')}</p>
      </Confirm>
    </>
  )
}
