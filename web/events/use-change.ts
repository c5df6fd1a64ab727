import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { accountOptions } from '../data/accounts.ts'
import type { Change, LogEvent } from '../data/events.ts'
import { intentsOptions } from '../data/intents.ts'
import { collectionOf } from '../data/live-events.ts'
import { customerStagesOptions } from '../data/named-things.ts'
import { pipelinesOptions, stageName } from '../data/pipelines.ts'
import { type CardKind, type Collection, cardKinds } from '../data/records.ts'
import { useFormat } from '../parts/format.ts'
import { useIsAdministrator } from '../shell/use-session.ts'

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

export interface EventChange {
  before: EventValue[]
  after: EventValue[]
  /** The value after replaced the value before; otherwise one side is the whole change. */
  isReplaced: boolean
}

type ToValue = (value: never, event: LogEvent) => EventValue | undefined

/** Returns the values before and after an event, by the API's property names. */
export function useChange(event: LogEvent): EventChange {
  const converters = useConverters(event)
  const side = (changes: Change[]) =>
    changes
      .flatMap((change) => Object.entries(change))
      .map(([name, value]) => converters[name]?.(value as never, event))
      .filter((value) => value !== undefined)
  const [before, after] = inOnePipeline([side(event.value_before), side(event.value_after)])
  return { before, after, isReplaced: event.type.endsWith('_changed') }
}

/** Pipelines are only shown if the lead moved to another one. */
function inOnePipeline(sides: [EventValue[], EventValue[]]): [EventValue[], EventValue[]] {
  const stages = sides.flat().filter((value) => value.kind === 'stage')
  if (new Set(stages.map(({ pipeline }) => pipeline)).size > 1) return sides
  const bare = (value: EventValue): EventValue =>
    value.kind === 'stage' ? { ...value, pipeline: null } : value
  return [sides[0].map(bare), sides[1].map(bare)]
}

function useConverters(event: LogEvent): Record<string, ToValue> {
  const stages = useStageConverters(event)
  const values = useValueConverters(event)
  return { ...stages, ...values, ...links }
}

const text = (content: string): EventValue => ({ kind: 'text', text: content })

/** Stages of leads and customers, and people. */
function useStageConverters({ type }: LogEvent): Record<string, ToValue> {
  const { t } = useTranslation()
  const { data: pipelines } = useQuery({ ...pipelinesOptions, enabled: type === 'lead_status_changed' })
  const customers = useQuery({ ...customerStagesOptions, enabled: type === 'customer_status_changed' })
  const gone = text(t('events.a_stage'))
  return {
    lead_status: ({ id, pipeline_id }: { id: number; pipeline_id: number }) => {
      if (!pipelines) return undefined
      const name = stageName(pipelines, pipeline_id, id)
      const stage = pipelines
        .find((one) => one.id === pipeline_id)
        ?._embedded.statuses.find((one) => one.id === id)
      if (!name || !stage) return gone
      return {
        kind: 'stage',
        name: name.stage,
        color: stage.color,
        pipeline: name.isOnly ? null : name.pipeline,
      }
    },
    customer_status: ({ id }: { id: number }) => {
      const stage = customers.data?.find((one) => one.id === id)
      if (!stage) return customers.data && gone
      return { kind: 'stage', name: stage.name, color: stage.color, pipeline: null }
    },
    responsible_user: ({ id }: { id: number }) => ({ kind: 'person', id }),
  }
}

/** Money, dates, texts, and values of custom fields by type. */
function useValueConverters({ type }: LogEvent): Record<string, ToValue> {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: account } = useQuery(accountOptions)
  const isOfBot = type === 'robot_replied' || type === 'intent_identified'
  const { data: intents } = useQuery({ ...intentsOptions, enabled: useIsAdministrator() && isOfBot })
  const money = (amount: number) => text(account ? format.money(amount, account.currency) : '')
  return {
    sale_field_value: ({ sale }: { sale: number }) => money(sale),
    ltv_field_value: ({ ltv }: { ltv: number }) => money(ltv),
    name_field_value: ({ name }: { name: string }) => text(name),
    tag: ({ name }: { name: string }) => ({ kind: 'tag', text: name }),
    task: (value: { text: string }) => text(value.text),
    task_deadline: ({ timestamp }: { timestamp: number }) => text(format.dateTime(timestamp)),
    task_type: ({ id }: { id: number }) => {
      const types = account?._embedded?.task_types
      return types && text(types.find((one) => one.id === id)?.name ?? t('events.a_task_type'))
    },
    nps: ({ rate }: { rate: number }) => text(format.number(rate)),
    helpbot: ({ id }: { id: number }) => {
      const intent = intents?.find((one) => one.id === id)
      return intent && text(intent.name)
    },
    custom_field_value: ({ field_type, text: value }: { field_type: number; text: string }) => {
      const write = byType[field_type]
      return text(write ? write(value, { format, t, currency: account?.currency ?? 'USD' }) : value)
    },
  }
}

interface Words {
  format: ReturnType<typeof useFormat>
  t: TFunction<'web'>
  currency: string
}
const date = (value: string, { format }: Words) => format.date(Number(value))
const number = (value: string, { format }: Words) => format.number(Number(value))

/** Formats field values by the number of their type; others are plain text. */
const byType: Record<number, (value: string, words: Words) => string> = {
  2: number,
  3: (value, { t }) => t(value === '1' ? 'events.yes' : 'events.no'),
  6: date,
  14: date,
  19: (value, { format }) => format.dateTime(Number(value)),
  20: number,
  23: (value, { format, currency }) => format.money(Number(value), currency),
}

const record = ({
  entity: { type, id },
}: {
  entity: { type: string; id: number }
}): EventValue | undefined => {
  const collection = collectionOf(type)
  return collection && { kind: 'record', collection, entity_type: type, id }
}

/** Objects with an id, which are loaded when shown. */
const links: Record<string, ToValue> = {
  link: record,
  unlink: record,
  note: ({ id }: { id: number }, { type, entity_type, entity_id }) => {
    // A task without a record stores its result itself, because there is no card for a note.
    if (entity_type === 'task')
      return type === 'task_result_added' ? { kind: 'result', of: entity_id } : undefined
    const of = cardKinds.find((kind) => kind === collectionOf(entity_type))
    // Notes of created records say nothing more, and deleted notes cannot be read.
    const hasText = !/^(lead|contact|company|customer)_added$|_deleted$/.test(type)
    return of && hasText ? { kind: 'note', of, id } : undefined
  },
  transaction: ({ id }: { id: number }) => ({ kind: 'purchase', id }),
  message: ({ talk_id }: { talk_id?: number }) =>
    talk_id === undefined ? undefined : { kind: 'talk', id: talk_id },
}
