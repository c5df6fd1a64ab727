import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endOtherSessions, type OwnSession, ownSessionsOptions } from '../data/own-sessions.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Section } from '../parts/layout/section.tsx'
import { Tag } from '../parts/layout/status.tsx'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { RelativeTime } from '../parts/texts/relative-time.tsx'
import { deviceName } from './device-names.ts'
import classes from './sessions-section.module.css'

/** The browsers in which the person is signed in. */
export function SessionsSection() {
  const { t } = useTranslation()
  const query = useQuery(ownSessionsOptions)
  const columns = useColumns()
  const [isAsking, setIsAsking] = useState(false)
  const end = useAction(endOtherSessions, t('sessions.ended'))
  const isAlone = (query.data?.length ?? 0) < 2
  return (
    <Section
      title={t('sessions.title')}
      lead={t('sessions.lead')}
      actions={
        !isAlone && (
          <Button variant="default" onClick={() => setIsAsking(true)}>
            {t('sessions.end')}
          </Button>
        )
      }
    >
      <Loaded query={query} rows={2}>
        {(sessions) => (
          <DataTable label={t('sessions.title')} columns={columns} rows={sessions} rowKey={({ id }) => id} />
        )}
      </Loaded>
      <Confirm
        opened={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('sessions.ask_title')}
        action={t('sessions.end')}
        pending={end.pending}
        onConfirm={() => end.run(undefined, () => setIsAsking(false))}
      >
        <p>{t('sessions.ask_text')}</p>
      </Confirm>
    </Section>
  )
}

function useColumns(): Column<OwnSession>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('sessions.column.browser'),
      cell: ({ is_current, user_agent }) => (
        <span className={classes.browser} title={user_agent ?? undefined}>
          {deviceName(user_agent ?? '') ?? t('sessions.unknown')}
          {is_current && <Tag>{t('sessions.current')}</Tag>}
        </span>
      ),
    },
    { title: t('sessions.column.address'), showFrom: 'medium', cell: ({ address }) => address },
    {
      title: t('sessions.column.since'),
      showFrom: 'wide',
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
    { title: t('sessions.column.seen'), cell: ({ seen_at }) => <RelativeTime at={seen_at} /> },
  ]
}
