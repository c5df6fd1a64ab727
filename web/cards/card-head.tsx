import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { wordOf } from '../data/records.ts'
import { useCard } from './card-context.tsx'
import classes from './card-head.module.css'
import { listOf, marks } from './card-kinds.ts'
import { CardMenu } from './card-menu.tsx'
import { Conversations } from './conversations.tsx'
import { CustomerStages } from './customer-stages.tsx'
import { FollowButton } from './follow-button.tsx'
import { LeadStages } from './lead-stages.tsx'
import { RecordName } from './record-name.tsx'
import { TrashBanner } from './trash-banner.tsx'
import { UnsavedNotice } from './unsaved-notice.tsx'

/** A longer name gets a line of its own on a phone. */
const SHORT = 24

/** The name, the stage and the actions of a record. */
export function CardHead() {
  const { t } = useTranslation()
  const { collection, record, isTrashed } = useCard()
  const word = wordOf(collection)
  const Mark = marks[word]
  return (
    <header className={classes.head}>
      <div className={classes.line} data-long={record.name.length > SHORT || undefined}>
        <Link
          {...listOf(collection)}
          activeOptions={{ exact: true }}
          className={classes.back}
          aria-label={t(`card.back_${word}`)}
          title={t(`card.back_${word}`)}
        >
          <IconArrowLeft size={16} aria-hidden />
        </Link>
        <Mark className={classes.mark} size={18} stroke={1.7} aria-hidden />
        <RecordName />
        <div className={classes.actions}>
          <Conversations />
          <FollowButton />
          <CardMenu />
        </div>
      </div>
      {word === 'leads' && <LeadStages />}
      {word === 'customers' && <CustomerStages />}
      <UnsavedNotice member="name" />
      <UnsavedNotice member="stage" />
      {isTrashed && <TrashBanner />}
    </header>
  )
}
