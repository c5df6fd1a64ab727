import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { customerStagesOptions } from '../data/pipelines.ts'
import { StageLabel } from '../parts/records/stage-label.tsx'
import { useCard } from './card-context.tsx'
import classes from './card-head.module.css'
import { StageSteps } from './stage-steps.tsx'

/** The stage of a customer between two purchases. */
export function CustomerStages() {
  const { t } = useTranslation()
  const { record, canEdit, save } = useCard()
  const { data: stages = [] } = useQuery(customerStagesOptions)
  const { status_id = 0 } = record
  const stage = stages.find(({ id }) => id === status_id)
  const moveTo = (id: number) => id !== status_id && save({ status_id: id })
  return (
    <div className={classes.stages}>
      {canEdit ? (
        <Select
          className={classes.choice}
          aria-label={t('records.stage')}
          data={stages.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={stage ? String(stage.id) : null}
          onChange={(id) => moveTo(Number(id))}
          leftSection={stage && <StageLabel name="" color={stage.color} />}
          leftSectionWidth={stage ? 30 : undefined}
        />
      ) : (
        stage && <StageLabel name={stage.name} color={stage.color} />
      )}
      <StageSteps stages={stages} current={status_id} onMove={canEdit ? moveTo : undefined} />
    </div>
  )
}
