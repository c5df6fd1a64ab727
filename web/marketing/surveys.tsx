import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { makeSurvey } from '../data/marketing.ts'
import type { CardKind } from '../data/records.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { Section } from '../parts/layout/section.tsx'
import { RecordFinder } from '../parts/records/record-finder.tsx'
import { Copyable } from '../parts/texts/copyable.tsx'
import { ApiCall } from './api-call.tsx'
import classes from './marketing.module.css'

const kinds = ['contacts', 'companies', 'leads', 'customers'] as const

/** Creates survey links, each for one record whose card shows the rating. */
export function Surveys() {
  const { t } = useTranslation()
  const [about, setAbout] = useState<{ collection: CardKind; id: number } | null>(null)
  const make = useAction(makeSurvey)
  return (
    <Section
      title={t('marketing.survey.title')}
      lead={t('marketing.survey.lead')}
      actions={
        <Link to="/events" search={{ 'filter[type]': 'nps_rate_added' }} className={classes.answers}>
          {t('marketing.survey.answers')}
        </Link>
      }
    >
      <form
        className={classes.make}
        onSubmit={(event) => {
          event.preventDefault()
          if (about) make.run(about)
        }}
      >
        <RecordFinder
          label={t('marketing.survey.for')}
          kinds={kinds}
          value={about}
          onChange={(chosen) => {
            make.reset()
            setAbout(chosen && { collection: chosen.collection as CardKind, id: chosen.id })
          }}
        />
        <Button type="submit" variant="default" disabled={!about} loading={make.pending}>
          {t('marketing.survey.make')}
        </Button>
      </form>
      {make.data && (
        <div className={classes.address} aria-live="polite">
          <Copyable label={t('marketing.survey.address')} value={make.data} />
        </div>
      )}
      <ApiCall method="POST" path={`/${about?.collection ?? 'contacts'}/${about?.id ?? '{id}'}/surveys`}>
        {t('marketing.survey.api')}
      </ApiCall>
    </Section>
  )
}
