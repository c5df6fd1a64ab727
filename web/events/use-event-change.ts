import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Changes } from '../../src/events/change-schemas.ts'
import { eventKindOf } from '../../src/events/event-types.ts'
import { accountOptions } from '../data/accounts.ts'
import type { Change, LogEvent } from '../data/events.ts'
import { intentsOptions } from '../data/intents.ts'
import { collectionOf } from '../data/live-events.ts'
import { customerStagesOptions, pipelineAt, pipelinesOptions, stageAt } from '../data/pipelines.ts'
import { type CardKind, type Collection, cardKinds } from '../data/records.ts'
import { useFormat } from '../parts/texts/format.ts'
import { useDeadlineText } from '../parts/texts/zoned.ts'
import { useIsAdministrator } from '../shell/use-session.ts'
import { useFieldValueText } from './use-field-value-text.ts'

/** A value before or after a change, ready for display. */
export type EventValue =
  | { kind: 'text'; text: string }
  | { kind: 'tag'; text: string }
  | { kind: 'stage'; name: string; color: string; pipeline: string | null }
  | { kind: 'person'; id: number }
  | { kind: 'record'; collection: Collection; entity_type: string; id: number }
  | { kind: 'note'; of: CardKind; id: number }
  | { kind: 'result'; of: number }
  | { kind: 'purchase'; id: number }
  | { kind: 'talk'; id: number }
  /** Data that the value needs is still loading. */
  | { kind: 'waiting' }

export interface EventChange {
  before: EventValue[]
  after: EventValue[]
  /** The value after replaced the value before; otherwise one side is the whole change. */
  isReplaced: boolean
}

/** The values of all changes, by the API's property names. */
type ChangeValues = {
  [Name in keyof Changes as keyof Changes[Name]]: Changes[Name][keyof Changes[Name]]
}
type Converters = {
  [Name in keyof ChangeValues]: (value: ChangeValues[Name], event: LogEvent) => EventValue | undefined
}

/** Returns the values before and after an event. */
export function useEventChange(event: LogEvent): EventChange {
  const converters: Record<string, ((value: never, event: LogEvent) => EventValue | undefined) | undefined> =
    useConverters(event)
  const side = (changes: Change[]) =>
    changes
      .flatMap((change) => Object.entries(change))
      .map(([name, value]) => converters[name]?.(value as never, event))
      .filter((value) => value !== undefined)
  const [before, after] = inOnePipeline([side(event.value_before), side(event.value_after)])
  const kind = eventKindOf(event.type)
  return { before, after, isReplaced: kind?.before !== undefined && kind.after !== undefined }
}

/** Pipelines are only shown if the lead moved to another one. */
function inOnePipeline(sides: [EventValue[], EventValue[]]): [EventValue[], EventValue[]] {
  const stages = sides.flat().filter((value) => value.kind === 'stage')
  if (new Set(stages.map(({ pipeline }) => pipeline)).size > 1) return sides
  const bare = (value: EventValue): EventValue =>
    value.kind === 'stage' ? { ...value, pipeline: null } : value
  return [sides[0].map(bare), sides[1].map(bare)]
}

function useConverters(event: LogEvent): Converters {
  const stages = useStageConverters(event)
  const values = useValueConverters(event)
  return { ...stages, ...values, ...links }
}

const text = (content: string): EventValue => ({ kind: 'text', text: content })
const waiting: EventValue = { kind: 'waiting' }

/** Stages of leads and customers, and people. */
function useStageConverters({
  type,
}: LogEvent): Pick<Converters, 'lead_status' | 'customer_status' | 'responsible_user'> {
  const { t } = useTranslation()
  const { data: pipelines } = useQuery({ ...pipelinesOptions, enabled: type === 'lead_status_changed' })
  const customers = useQuery({ ...customerStagesOptions, enabled: type === 'customer_status_changed' })
  const gone = text(t('events.a_stage'))
  return {
    lead_status: ({ id, pipeline_id }) => {
      if (!pipelines) return waiting
      const pipeline = pipelineAt(pipelines, { pipeline_id })
      const stage = stageAt(pipelines, { pipeline_id, status_id: id })
      if (!pipeline || !stage) return gone
      return {
        kind: 'stage',
        name: stage.name,
        color: stage.color,
        pipeline: pipelines.length === 1 ? null : pipeline.name,
      }
    },
    customer_status: ({ id }) => {
      const stage = customers.data?.find((one) => one.id === id)
      if (!stage) return customers.data ? gone : waiting
      return { kind: 'stage', name: stage.name, color: stage.color, pipeline: null }
    },
    responsible_user: ({ id }) => ({ kind: 'person', id }),
  }
}

/** Money, deadlines, texts, and values of custom fields. */
function useValueConverters(
  event: LogEvent,
): Omit<Converters, keyof typeof links | keyof ReturnType<typeof useStageConverters>> {
  const { t } = useTranslation()
  const format = useFormat()
  const deadlineText = useDeadlineText()
  const fieldValueText = useFieldValueText(event)
  const { data: account } = useQuery(accountOptions)
  const isOfBot = eventKindOf(event.type)?.after === 'helpbot'
  const { data: intents } = useQuery({ ...intentsOptions, enabled: useIsAdministrator() && isOfBot })
  const money = (amount: number) => (account ? text(format.money(amount, account.currency)) : waiting)
  return {
    sale_field_value: ({ sale }) => money(sale),
    ltv_field_value: ({ ltv }) => money(ltv),
    name_field_value: ({ name }) => (name ? text(name) : undefined),
    tag: ({ name }) => ({ kind: 'tag', text: name }),
    task: (value) => text(value.text),
    task_deadline: ({ timestamp }) => text(deadlineText(timestamp)),
    task_type: ({ id }) => {
      const types = account?._embedded?.task_types
      return types ? text(types.find((one) => one.id === id)?.name ?? t('events.a_task_type')) : waiting
    },
    nps: ({ rate }) => text(format.number(rate)),
    helpbot: ({ id }) => {
      const intent = intents?.find((one) => one.id === id)
      return intent && text(intent.name)
    },
    custom_field_value: (value) => {
      const written = fieldValueText(value)
      return written === undefined ? waiting : text(written)
    },
  }
}

const record: Converters['link'] = ({ entity: { type, id } }) => {
  const collection = collectionOf(type)
  return collection && { kind: 'record', collection, entity_type: type, id }
}

/** Objects with an id, which are loaded when shown. */
const links: Pick<Converters, 'link' | 'unlink' | 'note' | 'transaction' | 'message'> = {
  link: record,
  unlink: record,
  note: ({ id }, { type, entity_type, entity_id }) => {
    // A task without a record stores its result itself, because there is no card for a note.
    if (entity_type === 'task')
      return type === 'task_result_added' ? { kind: 'result', of: entity_id } : undefined
    const of = cardKinds.find((kind) => kind === collectionOf(entity_type))
    // Notes of created records say nothing more, and deleted notes cannot be read.
    const hasText = !eventKindOf(type)?.isCreation && type !== 'common_note_deleted'
    return of && hasText ? { kind: 'note', of, id } : undefined
  },
  transaction: ({ id }) => ({ kind: 'purchase', id }),
  message: ({ talk_id }) => (talk_id === undefined ? undefined : { kind: 'talk', id: talk_id }),
}
