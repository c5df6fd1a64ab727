import { useTranslation } from 'react-i18next'
import { type StagePlace, stageAt } from '../../data/pipelines.ts'
import { useBoard } from './board-context.ts'
import { FieldsDialog } from './fields-dialog.tsx'
import { LossDialog } from './loss-dialog.tsx'
import type { useAddLead } from './use-add-lead.ts'
import { useLeadName } from './use-lead-name.ts'
import type { useMoveLeads } from './use-move-leads.ts'

interface MoveDialogsProps {
  moving: ReturnType<typeof useMoveLeads>
  adding: ReturnType<typeof useAddLead>
}

/** Asks for the values that a move needs. Closing a dialog cancels the move. */
export function MoveDialogs({ moving, adding }: MoveDialogsProps) {
  const { t } = useTranslation()
  const { pipeline } = useBoard()
  const leadName = useLeadName()
  const nameOf = (place: StagePlace) => stageAt([pipeline], place)?.name ?? ''
  const { question } = moving
  return (
    <>
      {question?.about === 'reason' && (
        <LossDialog
          name={leadName(question.lead)}
          onChoose={(loss_reason_id) => moving.answer({ loss_reason_id })}
          onClose={moving.dismiss}
        />
      )}
      {question?.about === 'fields' && (
        <FieldsDialog
          title={t('board.fields_move', { name: leadName(question.lead) })}
          stage={nameOf(question.to)}
          fields={question.fields}
          onAnswer={moving.answer}
          onClose={moving.dismiss}
        />
      )}
      {adding.question && (
        <FieldsDialog
          title={t('board.fields_new', { name: adding.question.name })}
          stage={nameOf(adding.question.to)}
          fields={adding.question.fields}
          pending={adding.isAnswering}
          onAnswer={adding.answer}
          onClose={adding.dismiss}
        />
      )}
    </>
  )
}
