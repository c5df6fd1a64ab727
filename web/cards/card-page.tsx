import { Button } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { type Collection, elementsOf, recordOptions, wordOf } from '../data/records.ts'
import { trashedOptions } from '../data/trash.ts'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { LoadingRows, type QueryState } from '../parts/layout/loaded.tsx'
import { usePageTitle } from '../parts/layout/page.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { listOf } from './card-kinds.ts'
import classes from './card-page.module.css'
import { OpenCard } from './open-card.tsx'

const lead = getRouteApi('/shell/leads/$id')
const contact = getRouteApi('/shell/contacts/$id')
const company = getRouteApi('/shell/companies/$id')
const customer = getRouteApi('/shell/customers/$id')
const element = getRouteApi('/shell/lists/$catalogId/$id')

/** The key resets the card for each record, so that open editors close. */
export function LeadCard() {
  const { id } = lead.useParams()
  return <CardPage key={id} collection="leads" id={Number(id)} />
}

export function ContactCard() {
  const { id } = contact.useParams()
  return <CardPage key={id} collection="contacts" id={Number(id)} />
}

export function CompanyCard() {
  const { id } = company.useParams()
  return <CardPage key={id} collection="companies" id={Number(id)} />
}

export function CustomerCard() {
  const { id } = customer.useParams()
  return <CardPage key={id} collection="customers" id={Number(id)} />
}

export function ElementCard() {
  const { catalogId, id } = element.useParams()
  return <CardPage key={`${catalogId} ${id}`} collection={elementsOf(Number(catalogId))} id={Number(id)} />
}

interface CardPageProps {
  collection: Collection
  id: number
}

/** The card of a record: its fields and its timeline. */
function CardPage({ collection, id }: CardPageProps) {
  const query = useQuery(recordOptions(collection, id))
  if (isGone(query)) return <TrashedCard collection={collection} id={id} />
  if (query.data) return <OpenCard collection={collection} id={id} read={query.data} />
  return <WaitingCard query={query} />
}

/** The page of a record that is in the trash, deleted or hidden from the reader. */
function TrashedCard({ collection, id }: CardPageProps) {
  const query = useQuery(trashedOptions(collection, id))
  if (query.data) return <OpenCard collection={collection} id={id} read={query.data} isTrashed />
  return isGone(query) ? <GoneCard collection={collection} /> : <WaitingCard query={query} />
}

const isGone = ({ error }: QueryState<unknown>): boolean =>
  error instanceof Problem && [403, 404].includes(error.status)

function GoneCard({ collection }: { collection: Collection }) {
  const { t } = useTranslation()
  usePageTitle(t('card.gone'))
  return (
    <div className={classes.waiting}>
      <h1>{t('card.gone')}</h1>
      <EmptyState
        icon={IconFileOff}
        title={t(`card.gone_${wordOf(collection)}`)}
        action={
          <Button variant="default" renderRoot={(props) => <Link {...props} {...listOf(collection)} />}>
            {t('card.to_list')}
          </Button>
        }
      >
        {t('card.gone_text')}
      </EmptyState>
    </div>
  )
}

/** The page of a record that is not there yet, or could not be loaded. */
function WaitingCard({ query: { error, refetch } }: { query: QueryState<unknown> }) {
  return (
    <div className={classes.waiting}>
      {error ? <FailedCard error={error} onRetry={() => refetch()} /> : <LoadingRows count={8} />}
    </div>
  )
}

function FailedCard(problem: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation()
  usePageTitle(t('app.failed'))
  return (
    <>
      <h1>{t('app.failed')}</h1>
      <ProblemCallout {...problem} />
    </>
  )
}
