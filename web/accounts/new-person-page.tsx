import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addUser, type Role, rolesOptions, type User } from '../data/accounts.ts'
import classes from '../parts/forms/form.module.css'
import { NewButtons } from '../parts/forms/new-buttons.tsx'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { PersonFields } from './person-fields.tsx'
import { bodyOf, emptyPerson, ownRights, usePersonForm } from './person-form.ts'

export function NewPersonPage() {
  const { t } = useTranslation()
  const query = useQuery(rolesOptions)
  return (
    <Page
      title={t('people.add')}
      lead={t('person.new_lead')}
      back={{ to: '/settings/people', label: t('people.title') }}
    >
      <Loaded query={query}>{(roles) => <NewPersonForm role={roles[0]} />}</Loaded>
    </Page>
  )
}

/** The form of a new person, with a preselected role so that they can work immediately. */
function NewPersonForm({ role }: { role: Role | undefined }) {
  const { t, i18n } = useTranslation()
  const router = useRouter()
  const role_id = role ? String(role.id) : ownRights
  const form = usePersonForm({ ...emptyPerson, lang: i18n.language, role_id }, true)
  const [known, setKnown] = useState<User>()
  const { submit, pending, error } = useSubmit(form, addUser, {
    done: t('person.added'),
    onDone: (user) => (user?.keeps_password ? setKnown(user) : router.navigate({ to: '/settings/people' })),
  })
  if (known) return <KnownPerson user={known} />
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((draft) =>
        submit({ ...bodyOf(draft), email: draft.email, password: draft.password }),
      )}
    >
      <PersonFields form={form} isNew />
      <div className={`${classes.form} ${classes.under}`}>
        <ProblemCallout error={error} />
        <div className={classes.end}>
          <NewButtons action={t('people.add')} pending={pending} back="/settings/people" />
        </div>
      </div>
    </form>
  )
}

/** People have one password for all their accounts, so the initial password was not used. */
function KnownPerson({ user }: { user: User }) {
  const { t } = useTranslation()
  return (
    <Callout
      tone="warn"
      title={t('person.known_title', { name: user.name })}
      live
      actions={
        <Button variant="default" component={Link} to="/settings/people" activeOptions={{ exact: true }}>
          {t('people.title')}
        </Button>
      }
    >
      {t('person.known_text')}
    </Callout>
  )
}
