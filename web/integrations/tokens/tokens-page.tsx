import { IconKey } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type TokenFamily, tokenFamiliesOptions } from '../../data/tokens.ts'
import { EmptyState } from '../../parts/layout/empty-state.tsx'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { type Column, DataTable } from '../../parts/lists/data-table.tsx'
import { LoadMore } from '../../parts/lists/load-more.tsx'
import { RelativeTime } from '../../parts/texts/relative-time.tsx'
import { EndText } from './end-text.tsx'
import { ExplainForm } from './explain-form.tsx'
import { FamilyState } from './token-state.tsx'
import classes from './tokens.module.css'

/** The tokens of all installations, and a field that explains what became of a token. */
export function TokensPage() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(tokenFamiliesOptions)
  const columns = useColumns()
  return (
    <Page title={t('tokens.title')} lead={t('tokens.lead')}>
      <ExplainForm />
      <Section title={t('tokens.families')}>
        <Loaded query={query} rows={6}>
          {({ pages }) =>
            pages[0]?.families.length === 0 ? (
              <EmptyState icon={IconKey} title={t('tokens.none')}>
                {t('tokens.none_text')}
              </EmptyState>
            ) : (
              <>
                <DataTable
                  label={t('tokens.families')}
                  columns={columns}
                  rows={pages.flatMap(({ families }) => families)}
                  rowKey={({ id }) => id}
                />
                <LoadMore query={query} />
              </>
            )
          }
        </Loaded>
      </Section>
    </Page>
  )
}

function useColumns(): Column<TokenFamily>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('tokens.column.integration'),
      cell: ({ id, integration, user, long_lived }) => (
        <span className={classes.stack}>
          <Link to="/developers/tokens/$grantId" params={{ grantId: id }} data-row-link>
            {integration.name}
          </Link>
          <span className={classes.under}>
            {long_lived === null
              ? t('tokens.for', { person: user.name })
              : t('tokens.long_lived', { name: long_lived })}
          </span>
        </span>
      ),
    },
    {
      title: t('tokens.column.state'),
      cell: (family) => (
        <span className={classes.stack}>
          <FamilyState family={family} />
          <span className={classes.under}>
            <FamilyEnd family={family} />
          </span>
        </span>
      ),
    },
    {
      title: t('tokens.column.used'),
      showFrom: 'medium',
      cell: ({ newest }) => newest?.last_use && <RelativeTime at={newest.last_use.at} />,
    },
    {
      title: t('tokens.column.since'),
      showFrom: 'wide',
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
  ]
}

function FamilyEnd({ family: { end, newest } }: { family: TokenFamily }) {
  const last = end ?? newest?.refresh_token?.end ?? (newest?.refresh_token ? null : newest?.access_token.end)
  return last ? <EndText end={last} short /> : null
}
