import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { User } from '../data/accounts.ts'
import { Tag } from '../parts/layout/status.tsx'
import { initials } from '../parts/texts/initials.ts'
import { useSignedIn } from '../shell/use-session.ts'
import classes from './people.module.css'

export function PersonCell({ user }: { user: User }) {
  const { t } = useTranslation()
  const { user: me } = useSignedIn()
  return (
    <div className={classes.person}>
      <span className={classes.face} aria-hidden>
        {initials(user.name)}
      </span>
      <span className={classes.words}>
        <span className={classes.name}>
          <Link to="/settings/people/$userId" params={{ userId: String(user.id) }} data-row-link>
            {user.name}
          </Link>
          {user.id === me.id && <Tag>{t('people.you')}</Tag>}
        </span>
        <span className={classes.under}>{user.email}</span>
      </span>
    </div>
  )
}
