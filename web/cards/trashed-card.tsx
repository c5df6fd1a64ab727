import { Button } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { type Collection, wordOf } from '../data/records.ts'
import { trashedOptions } from '../data/trash.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { usePageTitle } from '../parts/page.tsx'
import { listOf } from './card-kinds.ts'
import classes from './card-page.module.css'
import { OpenCard } from './open-card.tsx'
import { WaitingCard } from './waiting-card.tsx'

/** The page of a record that is in the trash, deleted or hidden from the reader. */
export function TrashedCard({ collection, id }: { collection: Collection; id: number }) {
  const query = useQuery(trashedOptions(collection, id))
  if (query.data) return <OpenCard collection={collection} id={id} read={query.data} isTrashed />
  const isGone = query.error instanceof Problem && [403, 404].includes(query.error.status)
  if (isGone) return <GoneCard collection={collection} />
  return <WaitingCard query={query} />
}

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
