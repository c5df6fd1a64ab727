import { Button } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '../data/integrations.ts'
import classes from './audit-log.module.css'
import { Loaded } from './layout/loaded.tsx'
import { Section } from './layout/section.tsx'
import { type Column, DataTable } from './lists/data-table.tsx'
import { useActingName } from './people/acting-name.ts'
import { useFormat } from './texts/format.ts'
import { TraceLink } from './trace-link.tsx'

type Pages = InfiniteData<{ entries: AuditEntry[] }>

/** The audit log of one integration or channel. */
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
  const actingName = useActingName()
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
    {
      title: t('log.who'),
      cell: ({ user, by_integration }) => actingName(user?.name, by_integration) || t('log.nobody'),
    },
    {
      title: t('log.where'),
      showFrom: 'wide',
      cell: ({ address, request_id }) => (
        <span className={classes.what}>
          <span>{address}</span>
          <TraceLink id={request_id}>
            <code className={classes.details}>{request_id}</code>
          </TraceLink>
        </span>
      ),
    },
  ]
}

/** Ids, and properties that the action already implies. */
const unsaid = new Set(['id', 'pipeline_id', 'entity_type'])

/**
 * Returns the text of an action from this log's texts or those of the account's log; unknown actions are shown by
 * name.
 */
function useActionText() {
  const { t, i18n } = useTranslation()
  return (action: string) => {
    const key = [`action.${action}`, `audit.did.${action}`].find((one) => i18n.exists(one))
    return key ? t(key as 'action.other') : t('action.other', { action })
  }
}

function Details({ of }: { of: Record<string, unknown> }) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const word = (name: string, ...places: string[]) => {
    const key = places.map((place) => `${place}.${name}`).find((one) => i18n.exists(one))
    return key ? t(key as 'log.detail.name') : name
  }
  const name = (member: string) => word(member, 'log.detail', 'audit.detail')
  const shown = (member: string, value: unknown) => {
    if (typeof value === 'number' && member.endsWith('_until')) return format.dateTime(value)
    if (Array.isArray(value)) return format.list(value.map((one) => word(String(one), 'audit.member')))
    return member === 'reason' ? word(String(value), 'audit.reason') : plain(value)
  }
  const parts = Object.entries(of)
    .filter(([member, value]) => !unsaid.has(member) && value !== false && value !== null)
    .map(([member, value]) => (value === true ? name(member) : `${name(member)}: ${shown(member, value)}`))
  return parts.length > 0 && <span className={classes.details}>{parts.join(' · ')}</span>
}

const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
