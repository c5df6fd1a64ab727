import { mutationOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Cancelled } from '../../api/problem.ts'
import type { CustomField } from '../../data/fields.ts'
import {
  type Acceptance,
  acceptIncoming,
  type IncomingLead,
  readIncomingAgain,
} from '../../data/incoming-leads.ts'
import {
  INCOMING,
  type Pipeline,
  pipelineAt,
  pipelinesOptions,
  type StagePlace,
  stageAt,
} from '../../data/pipelines.ts'
import { type AnyRecord, readRecord } from '../../data/records.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import type { IncomingActions } from '../../parts/records/use-incoming-rights.ts'
import { useRecordPermission } from '../../shell/use-record-permission.ts'
import { FieldsDialog } from './fields-dialog.tsx'
import { fieldsMissingFor, type MoveValues, moveLead } from './move-values.ts'
import { useLeadName } from './use-lead-name.ts'

interface Question {
  item: IncomingLead
  lead: AnyRecord
  place: StagePlace
  fields: CustomField[]
}

/** Accepts incoming leads, and asks for the fields that the stage requires. The dialog is drawn by the page. */
export function useIncomingActions(): IncomingActions & { dialog: ReactNode } {
  const { t } = useTranslation()
  const allowed = { leads: useRecordPermission('leads'), contacts: useRecordPermission('contacts') }
  const { data: pipelines = [] } = useQuery(pipelinesOptions)
  const nameOf = useLeadName()
  const [question, setQuestion] = useState<Question>()
  const accept = useAction(
    mutationOptions({
      mutationFn: async (acceptance: Acceptance) => {
        try {
          await acceptIncoming(acceptance)
        } catch (error) {
          const place = placeIn(pipelines, acceptance)
          const lead = await readRecord('leads', acceptance.item._embedded.leads[0]?.id ?? 0)
          const fields = await fieldsMissingFor(error, lead.custom_fields_values ?? [], place)
          if (fields.length === 0) throw error
          setQuestion({ item: acceptance.item, lead, place, fields })
          throw new Cancelled()
        }
      },
      onSettled: (_answer, _error, { item }) => readIncomingAgain(item),
    }),
    t('incoming.accepted'),
  )
  const answer = useAction(acceptWithValues, t('incoming.accepted'))
  return {
    isAllowed: (collection, right, record) => allowed[collection](right, record),
    accept: (acceptance) => accept.run(acceptance),
    isAccepting: accept.pending,
    dialog: question && (
      <FieldsDialog
        title={t('board.fields_move', { name: nameOf(question.lead) })}
        stage={stageAt(pipelines, question.place)?.name ?? ''}
        fields={question.fields}
        pending={answer.pending}
        onClose={() => setQuestion(undefined)}
        onAnswer={(values) => answer.run({ ...question, values }, () => setQuestion(undefined))}
      />
    ),
  }
}

/** The stage that an acceptance means: the first one of the pipeline by default (I3). */
function placeIn(pipelines: readonly Pipeline[], { item, status_id }: Acceptance): StagePlace {
  const stages = pipelineAt(pipelines, item)?._embedded.statuses ?? []
  const first = stages.find(({ type }) => type !== INCOMING)
  return { pipeline_id: item.pipeline_id, status_id: status_id ?? first?.id ?? 0 }
}

/** A change of the stage accepts the lead, too (I3). */
const acceptWithValues = mutationOptions({
  mutationFn: ({ lead, place, values }: Question & { values: MoveValues }) =>
    moveLead(lead.id, place, values),
  onSettled: (_answer, _error, { item }) => readIncomingAgain(item),
})
