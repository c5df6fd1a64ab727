import { Button } from '@mantine/core'
import { IconActivity } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { logHeadOptions, logOptions } from '../data/events.ts'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Section } from '../parts/layout/section.tsx'
import classes from './integration-activity.module.css'
import { LogList } from './log-list.tsx'

/** The activity of an integration in the account, live: the log with a filter. */
export function IntegrationActivity({ id }: { id: string }) {
  const { t } = useTranslation()
  const search = useMemo(() => ({ 'filter[integration]': id }), [id])
  const query = useInfiniteQuery(logOptions(search))
  useQuery({ ...logHeadOptions(search), enabled: query.isSuccess })
  return (
    <Section
      title={t('built.activity')}
      lead={t('built.activity_lead')}
      actions={
        <Button variant="default" renderRoot={(props) => <Link to="/events" search={search} {...props} />}>
          {t('built.activity_in_log')}
        </Button>
      }
    >
      <Loaded query={query} rows={8}>
        {({ pages }) =>
          pages.every(({ rows }) => rows.length === 0) ? (
            <EmptyState icon={IconActivity} title={t('built.idle_title')}>
              {t('built.idle_text')}
            </EmptyState>
          ) : (
            <div className={classes.list}>
              <LogList query={query} pages={pages} />
            </div>
          )
        }
      </Loaded>
    </Section>
  )
}
