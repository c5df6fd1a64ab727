import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomField } from '../data/fields.ts'
import {
  INCOMING,
  isAt,
  LOST,
  pipelineAt,
  pipelinesOptions,
  type Stage,
  type StagePlace,
  stageAt,
  WON,
} from '../data/pipelines.ts'
import type { RecordPatch } from '../data/record-patch.ts'
import { FieldsDialog } from '../entities/board/fields-dialog.tsx'
import { LossDialog } from '../entities/board/loss-dialog.tsx'
import { missingFields } from '../entities/board/move-values.ts'
import { useIncomingActions } from '../entities/board/use-incoming-actions.tsx'
import { useLeadName } from '../entities/board/use-lead-name.ts'
import { useFocusNear } from '../parts/dialogs/use-opener-focus.ts'
import { IncomingNotice } from '../parts/records/incoming-notice.tsx'
import { StageLabel } from '../parts/records/stage-label.tsx'
import { StageSelect } from '../parts/records/stage-select.tsx'
import { useCard } from './card-context.tsx'
import classes from './card-head.module.css'
import { StageSteps } from './stage-steps.tsx'

/** The stage of a lead, and the controls that move it. */
export function LeadStages() {
  const { t } = useTranslation()
  const { record, canEdit, isTrashed } = useCard()
  const { data: pipelines = [] } = useQuery(pipelinesOptions)
  const { moveTo, dialogs } = useMoves()
  const { dialog, ...actions } = useIncomingActions()
  const { pipeline_id = 0, status_id = 0 } = record
  const stages = pipelineAt(pipelines, record)?._embedded.statuses ?? []
  const stage = stageAt(pipelines, record)
  const end = ends[status_id]
  const reason = record._embedded?.loss_reason?.[0]?.name
  return (
    <div className={classes.stages}>
      {stage?.type === INCOMING && !isTrashed && (
        <IncomingNotice lead={{ id: record.id, name: record.name }} actions={actions} />
      )}
      {canEdit ? (
        <StageSelect
          className={classes.choice}
          aria-label={t('records.stage')}
          // It gets the focus when the buttons that close the lead disappear.
          openOnFocus={false}
          value={{ pipeline_id, status_id }}
          onChange={moveTo}
        />
      ) : (
        stage && <StageLabel name={stage.name} color={stage.color} />
      )}
      {end === 'lost' && reason && (
        <span className={classes.plain}>{t('card.lost_because', { reason })}</span>
      )}
      <StageSteps
        stages={stages.filter(isOpen)}
        current={status_id}
        end={end}
        onMove={canEdit ? (id) => moveTo({ pipeline_id, status_id: id }) : undefined}
      />
      {canEdit && !end && <Closing onClose={(id) => moveTo({ pipeline_id, status_id: id })} />}
      {dialogs}
      {dialog}
    </div>
  )
}

/** The buttons that close a lead. They disappear with it. */
function Closing({ onClose }: { onClose: (stage: typeof WON | typeof LOST) => void }) {
  const { t } = useTranslation()
  const buttons = useRef<HTMLDivElement>(null)
  useFocusNear(buttons)
  return (
    <div ref={buttons} className={classes.closing}>
      <Button variant="default" onClick={() => onClose(WON)}>
        {t('card.close_won')}
      </Button>
      <Button variant="default" onClick={() => onClose(LOST)}>
        {t('card.close_lost')}
      </Button>
    </div>
  )
}

const ends: Record<number, 'won' | 'lost'> = { [WON]: 'won', [LOST]: 'lost' }
const isOpen = ({ id, type }: Stage) => ends[id] === undefined && type === 0

interface Question {
  to: StagePlace
  extra: RecordPatch
  fields: CustomField[]
}

/** Moves the lead after asking for the loss reason or the required fields. */
function useMoves() {
  const { t } = useTranslation()
  const { record, save } = useCard()
  const name = useLeadName()(record)
  const { data: pipelines = [] } = useQuery(pipelinesOptions)
  const [lost, setLost] = useState<StagePlace>()
  const [question, setQuestion] = useState<Question>()
  const go = async (to: StagePlace, extra: RecordPatch) => {
    // Without the fields, the server decides.
    const fields = await missingFields(record.custom_fields_values, to).catch(() => [])
    if (fields.length > 0) setQuestion({ to, extra, fields })
    else save({ ...to, ...extra })
  }
  const moveTo = (to: StagePlace) => {
    if (isAt(record, to)) return
    if (to.status_id === LOST) setLost(to)
    else go(to, {})
  }
  const dialogs = (
    <>
      {lost && (
        <LossDialog
          name={name}
          onClose={() => setLost(undefined)}
          onChoose={(loss_reason_id) => {
            setLost(undefined)
            go(lost, { loss_reason_id })
          }}
        />
      )}
      {question && (
        <FieldsDialog
          title={t('board.fields_move', { name })}
          stage={stageAt(pipelines, question.to)?.name ?? ''}
          fields={question.fields}
          onClose={() => setQuestion(undefined)}
          onAnswer={(filled) => {
            setQuestion(undefined)
            save({ ...question.to, ...question.extra, ...filled })
          }}
        />
      )}
    </>
  )
  return { moveTo, dialogs }
}
