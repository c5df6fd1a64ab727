import { Button } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '../api/integrations.ts'
import classes from './audit-log.module.css'
import { type Column, DataTable } from './data-table.tsx'
import { useFormat } from './format.ts'
import { Loaded } from './loaded.tsx'
import { Section } from './section.tsx'

type Pages = InfiniteData<{ entries: AuditEntry[] }>

/** Who did what with something that has an audit log of its own. */
export function AuditLog({ query, lead }: { query: UseInfiniteQueryResult<Pages>; lead: string }) {
  const { t } = useTranslation()
  const columns = useColumns()
  return (
    <Section title={t('log.title')} lead={lead}>
      <Loaded query={query} rows={6}>
        {({ pages }) => (
          <>
            <DataTable
              label={t('log.title')}
              columns={columns}
              rows={pages.flatMap(({ entries }) => entries)}
              rowKey={(entry) => entry.id}
            />
            {query.hasNextPage && (
              <Button
                variant="default"
                className={classes.more}
                loading={query.isFetchingNextPage}
                onClick={() => query.fetchNextPage()}
              >
                {t('act.load_more')}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function useColumns(): Column<AuditEntry>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const action = useActionText()
  return [
    { title: t('log.when'), cell: ({ at }) => <span className={classes.when}>{format.dateTime(at)}</span> },
    {
      title: t('log.what'),
      cell: (entry) => (
        <span className={classes.what}>
          <span>{action(entry.action)}</span>
          <Details of={entry.details} />
        </span>
      ),
    },
    { title: t('log.who'), cell: ({ user }) => user?.name ?? t('log.nobody') },
    {
      title: t('log.where'),
      room: 'wide',
      cell: ({ address, request_id }) => (
        <span className={classes.what}>
          <span>{address}</span>
          <code className={classes.details}>{request_id}</code>
        </span>
      ),
    },
  ]
}

/** Actions have sentences; one that this version does not know is shown by its name. */
function useActionText() {
  const { t, i18n } = useTranslation()
  return (action: string) => {
    const key = `action.${action}`
    return i18n.exists(key) ? t(key as 'action.other') : t('action.other', { action })
  }
}

function Details({ of }: { of: Record<string, unknown> }) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const shown = (member: string, value: unknown) =>
    typeof value === 'number' && member.endsWith('_until') ? format.dateTime(value) : plain(value)
  const name = (member: string) => {
    const key = `log.detail.${member}`
    return i18n.exists(key) ? t(key as 'log.detail.name') : member
  }
  const parts = Object.entries(of)
    .filter(([, value]) => value !== false && value !== null)
    .map(([member, value]) => (value === true ? name(member) : `${name(member)}: ${shown(member, value)}`))
  return parts.length > 0 && <span className={classes.details}>{parts.join(' · ')}</span>
}

const plain = (value: unknown) => {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
