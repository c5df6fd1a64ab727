import { Anchor, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { signOut } from '../data/session.ts'
import form from '../parts/forms/form.module.css'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { PlainLayout } from './plain-layout.tsx'
import { ProblemPage } from './state-pages.tsx'
import { useSignedIn } from './use-session.ts'

/** An error instead of the frame of the pages behind sign-in. */
export function FrameProblem(props: ErrorComponentProps) {
  const { error } = props
  const isStranger = error instanceof Problem && error.code === 'not_a_member'
  return isStranger ? <NoAccount error={error} /> : <ProblemPage {...props} />
}

/** A person who signed in at the address of an account that they do not belong to. */
function NoAccount({ error }: { error: Problem }) {
  const { t } = useTranslation()
  const { accounts } = useSignedIn()
  const leave = useMutation({ ...signOut, onSuccess: () => window.location.assign('/sign-in') })
  return (
    <PlainLayout title={t('app.failed')}>
      <div className={form.form}>
        <ProblemCallout error={leave.error ?? error} />
        {accounts.map(({ id, name, url }) => (
          <Anchor key={id} href={url}>
            {name}
          </Anchor>
        ))}
        <Button onClick={() => leave.mutate()} loading={leave.isPending} fullWidth>
          {t('nav.sign_out')}
        </Button>
      </div>
    </PlainLayout>
  )
}
