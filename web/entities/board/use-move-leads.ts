import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { columnRead, type Place } from '../../data/columns.ts'
import type { CustomField } from '../../data/fields.ts'
import { lossReasonsOptions } from '../../data/loss-reasons.ts'
import { LOST } from '../../data/pipelines.ts'
import type { AnyRecord } from '../../data/records.ts'
import { useToast } from '../../parts/use-toast.ts'
import { type Along, isForWantOfFields, missingFields, moveLead } from './lead-patch.ts'
import { isAt, keepMove, type Move, useMoves } from './moves.ts'

/** What has to be known before a move can be done. */
export type Question =
  | ({ about: 'reason' } & Move)
  | ({ about: 'fields'; fields: CustomField[]; along: Along } & Move)

/**
 * Moves leads: at once on the board, then on the server; what is refused goes back, and the reason is said. `narrowed` is
 * what the board asks of leads beside their stage; `onAnswered` hears of a lead whose question was answered or dismissed.
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
  const [said, say] = useState('')
  const { data: reasons = [] } = useQuery(lossReasonsOptions)
  /** Leads whose move is on its way, with where they were put meanwhile. */
  const under = useRef(new Map<number, { to: Place; along: Along } | null>())

  const giveUp = ({ lead }: Move) => {
    end(lead.id)
    say(t('board.stays', { name: lead.name, stage: stageName(lead as Place) }))
  }
  const refused = async (error: unknown, move: Move, along: Along) => {
    const isWant = isForWantOfFields(error)
    const fields = isWant ? await missingFields(valuesWith(move.lead, along), move.to).catch(() => []) : []
    if (fields.length > 0) return ask({ about: 'fields', ...move, fields, along })
    giveUp(move)
    toast.refused(error)
  }
  const send = async (move: Move, along: Along): Promise<void> => {
    const { lead, to } = move
    begin(move)
    if (under.current.has(lead.id)) {
      under.current.set(lead.id, { to, along })
      return
    }
    under.current.set(lead.id, null)
    const answer = await moveLead(lead.id, to, along).catch((error: unknown) => {
      under.current.delete(lead.id)
      return refused(error, move, along)
    })
    if (!answer) return
    const changed = { updated_at: answer.updated_at, closest_task_at: lead.closest_task_at }
    keepMove(move, changed)
    const next = under.current.get(lead.id)
    under.current.delete(lead.id)
    if (next && !isAt(next.to, to))
      return send({ lead: { ...lead, ...to, ...changed }, to: next.to }, next.along)
    const done: Move = { ...move, isDone: true }
    begin(done)
    say(t('board.moved', { name: lead.name, stage: stageName(to) }))
    await columnRead(narrowed, to)
    end(lead.id, done)
  }

  return {
    moves,
    said,
    question,
    move: (lead: AnyRecord, to: Place) => {
      if (isAt(moves.get(lead.id)?.to ?? lead, to)) return
      if (to.status_id !== LOST || reasons.length === 0) return void send({ lead, to }, {})
      begin({ lead, to })
      ask({ about: 'reason', lead, to })
    },
    answer: (along: Along) => {
      if (!question) return
      ask(undefined)
      send({ lead: question.lead, to: question.to }, { ...asked(question), ...along })
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

const asked = (question: Question): Along => (question.about === 'fields' ? question.along : {})

const valuesWith = (lead: AnyRecord, { custom_fields_values = [] }: Along) => [
  ...(lead.custom_fields_values ?? []),
  ...custom_fields_values,
]
