import { Button } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { addUser } from '../api/accounts.ts'
import classes from '../parts/form.module.css'
import { Page } from '../parts/page.tsx'
import { ProblemCallout } from '../parts/problem-callout.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { PersonFields } from './person-fields.tsx'
import { bodyOf, emptyPerson, usePersonForm } from './person-form.ts'

export function NewPersonPage() {
  const { t, i18n } = useTranslation()
  const router = useRouter()
  const form = usePersonForm({ ...emptyPerson, lang: i18n.language }, true)
  const { submit, pending, error } = useSubmit(form, addUser, {
    done: t('person.added'),
    onDone: () => router.navigate({ to: '/settings/people' }),
  })
  return (
    <Page
      title={t('people.add')}
      lead={t('person.new_lead')}
      back={{ to: '/settings/people', label: t('people.title') }}
    >
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
            <Button type="submit" loading={pending}>
              {t('people.add')}
            </Button>
            <Button variant="subtle" color="gray" component={Link} to="/settings/people">
              {t('act.cancel')}
            </Button>
          </div>
        </div>
      </form>
    </Page>
  )
}
