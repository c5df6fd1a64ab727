import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { columnRead, isAt, type Place } from '../../data/columns.ts'
import type { CustomField } from '../../data/fields.ts'
import { lossReasonsOptions } from '../../data/loss-reasons.ts'
import { LOST } from '../../data/pipelines.ts'
import type { AnyRecord } from '../../data/records.ts'
import { useToast } from '../../parts/use-toast.ts'
import { isMissingFields, type MoveValues, missingFields, moveLead } from './lead-patch.ts'
import { keepMove, type Move, useMoves } from './moves.ts'

/** A question that must be answered before a move. */
export type Question =
  | ({ about: 'reason' } & Move)
  | ({ about: 'fields'; fields: CustomField[]; values: MoveValues } & Move)

/**
 * Moves leads, on the board first and then on the server; a rejected move is reverted with a message. `narrowed`
 * are the filters of the board; `onAnswered` gets a lead whose question was answered or dismissed.
 */
export function useMoveLeads(
  narrowed: Record<string, string>,
  stageName: (place: Place) => string,
  onAnswered: (lead: number) => void,
) {
  const { t } = useTranslation()
  const toast = useToast()
  const { moves, begin, end } = useMoves()
  const [question, ask] = useState<Question>()
  const [announcement, announce] = useState('')
  const { data: reasons = [] } = useQuery(lossReasonsOptions)
  /** Leads that are being moved, with a later target if there is one. */
  const pending = useRef(new Map<number, { to: Place; values: MoveValues } | null>())

  const giveUp = ({ lead }: Move) => {
    end(lead.id)
    announce(t('board.stays', { name: lead.name, stage: stageName(lead as Place) }))
  }
  const refused = async (error: unknown, move: Move, values: MoveValues) => {
    const isMissing = isMissingFields(error)
    const fields = isMissing
      ? await missingFields(valuesWith(move.lead, values), move.to).catch(() => [])
      : []
    if (fields.length > 0) return ask({ about: 'fields', ...move, fields, values })
    giveUp(move)
    toast.refused(error)
  }
  const send = async (move: Move, values: MoveValues): Promise<void> => {
    const { lead, to } = move
    begin(move)
    if (pending.current.has(lead.id)) {
      pending.current.set(lead.id, { to, values })
      return
    }
    pending.current.set(lead.id, null)
    const answer = await moveLead(lead.id, to, values).catch((error: unknown) => {
      pending.current.delete(lead.id)
      return refused(error, move, values)
    })
    if (!answer) return
    const changed = { updated_at: answer.updated_at, closest_task_at: lead.closest_task_at }
    keepMove(move, changed)
    const next = pending.current.get(lead.id)
    pending.current.delete(lead.id)
    if (next && !isAt(next.to, to))
      return send({ lead: { ...lead, ...to, ...changed }, to: next.to }, next.values)
    const done: Move = { ...move, isDone: true }
    begin(done)
    announce(t('board.moved', { name: lead.name, stage: stageName(to) }))
    await columnRead(narrowed, to)
    end(lead.id, done)
  }

  return {
    moves,
    announcement,
    question,
    move: (lead: AnyRecord, to: Place) => {
      if (isAt(moves.get(lead.id)?.to ?? lead, to)) return
      if (to.status_id !== LOST || reasons.length === 0) return void send({ lead, to }, {})
      begin({ lead, to })
      ask({ about: 'reason', lead, to })
    },
    answer: (values: MoveValues) => {
      if (!question) return
      ask(undefined)
      send({ lead: question.lead, to: question.to }, { ...asked(question), ...values })
      onAnswered(question.lead.id)
    },
    dismiss: () => {
      if (!question) return
      ask(undefined)
      giveUp(question)
      onAnswered(question.lead.id)
    },
  }
}

const asked = (question: Question): MoveValues => (question.about === 'fields' ? question.values : {})

const valuesWith = (lead: AnyRecord, { custom_fields_values = [] }: MoveValues) => [
  ...(lead.custom_fields_values ?? []),
  ...custom_fields_values,
]
