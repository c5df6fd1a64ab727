import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { unreadOptions } from '../data/chats.ts'
import { useLocale } from '../parts/texts/region.ts'
import { useNow } from '../parts/texts/use-now.ts'
import { useSignedIn } from '../shell/use-session.ts'
import type { Section } from '../tasks/sections.ts'
import classes from './greeting.module.css'

/** The parts of the day by their first hour. */
const times = [
  [18, 'evening'],
  [12, 'day'],
  [5, 'morning'],
  [0, 'evening'],
] as const

/** The greeting, the date and a summary of open work. */
export function Greeting({ due: [overdue, today] }: { due: [Section, Section] }) {
  const { t } = useTranslation()
  const locale = useLocale()
  const { user } = useSignedIn()
  const now = new Date(useNow(60) * 1000)
  const { data: unread } = useQuery(unreadOptions)
  const time = times.find(([hour]) => now.getHours() >= hour)?.[1] ?? 'day'
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
  const waiting = [
    { to: '/tasks', count: overdue.total, text: 'home.waits.overdue', isLate: true },
    { to: '/tasks', count: today.total, text: 'home.waits.today' },
    { to: '/inbox', count: unread ?? 0, text: 'home.waits.unread' },
  ] as const
  const isKnown = [unread, overdue.query.data, today.query.data].every((data) => data !== undefined)
  const shown = waiting.filter(({ count }) => count > 0)
  return (
    <header className={classes.greeting}>
      <h1>{t(`home.greeting.${time}`, { name: user.name })}</h1>
      <p className={classes.line}>
        <span className={classes.day}>{day.format(now)}</span>
        {shown.map(({ to, count, text, ...rest }) => (
          <Fragment key={text}>
            {' · '}
            <Link to={to} data-late={'isLate' in rest || undefined}>
              {t(text, { count })}
            </Link>
          </Fragment>
        ))}
        {isKnown && shown.length === 0 && ` · ${t('home.waits.nothing')}`}
      </p>
    </header>
  )
}
