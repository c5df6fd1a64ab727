import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomField } from '../../data/fields.ts'
import { lossReasonsOptions } from '../../data/loss-reasons.ts'
import { isAt, LOST, type StagePlace } from '../../data/pipelines.ts'
import type { AnyRecord } from '../../data/records.ts'
import { useToast } from '../../parts/toasts/use-toast.ts'
import { fieldsMissingFor, type MoveValues } from './move-values.ts'
import { type LeadMove, type Move, sendMove, useMoves } from './moves.ts'
import { useLeadName } from './use-lead-name.ts'

/** A question that must be answered before a move. */
export type Question = LeadMove & ({ about: 'reason' } | { about: 'fields'; fields: CustomField[] })

/**
 * Moves leads, on the board first and then on the server; a rejected move is reverted with a message. `narrowed`
 * are the filters of the board; `onAnswered` gets a lead whose question was answered or dismissed.
 */
export function useMoveLeads(
  narrowed: Record<string, string>,
  stageName: (place: StagePlace) => string,
  onAnswered: (lead: number) => void,
) {
  const { t } = useTranslation()
  const toast = useToast()
  const leadName = useLeadName()
  const [question, ask] = useState<Question>()
  const [announcement, announce] = useState('')
  const { data: reasons = [] } = useQuery(lossReasonsOptions)
  const moves = useMoves(question)

  const giveUp = ({ lead }: Move) =>
    announce(t('board.stays', { name: leadName(lead), stage: stageName(lead as StagePlace) }))
  const send = (move: LeadMove) =>
    sendMove(move, {
      narrowed,
      onMoved: ({ lead, to }) => announce(t('board.moved', { name: leadName(lead), stage: stageName(to) })),
      onRefused: async (error) => {
        const fields = await fieldsMissingFor(error, valuesWith(move), move.to)
        if (fields.length > 0) return ask({ about: 'fields', ...move, fields })
        giveUp(move)
        toast.refused(error)
      },
    })
  const close = ({ lead }: Question) => {
    ask(undefined)
    onAnswered(lead.id)
  }

  return {
    moves,
    announcement,
    question,
    move: (lead: AnyRecord, to: StagePlace) => {
      if (isAt(moves.get(lead.id)?.to ?? lead, to)) return
      const move = { lead, to, values: {} }
      if (to.status_id === LOST && reasons.length > 0) ask({ about: 'reason', ...move })
      else send(move)
    },
    answer: (values: MoveValues) => {
      if (!question) return
      const { lead, to } = question
      send({ lead, to, values: { ...question.values, ...values } })
      close(question)
    },
    dismiss: () => {
      if (!question) return
      giveUp(question)
      close(question)
    },
  }
}

const valuesWith = ({ lead, values }: LeadMove) => [
  ...(lead.custom_fields_values ?? []),
  ...(values.custom_fields_values ?? []),
]
