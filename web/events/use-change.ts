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

/** One thing that stood before or after, in a form that can be shown. */
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
  /** What stood before gave way to what stands after; else one side says it all. */
  isReplaced: boolean
}

type Say = (value: never, event: LogEvent) => EventValue | undefined

/** What stood before and after, by the form of the change (the names are those of the API). */
export function useChange(event: LogEvent): EventChange {
  const says = useSays(event)
  const side = (changes: Change[]) =>
    changes
      .flatMap((change) => Object.entries(change))
      .map(([name, value]) => says[name]?.(value as never, event))
      .filter((said) => said !== undefined)
  const [before, after] = inOnePipeline([side(event.value_before), side(event.value_after)])
  return { before, after, isReplaced: event.type.endsWith('_changed') }
}

/** The pipeline is told when a lead has come into another. */
function inOnePipeline(sides: [EventValue[], EventValue[]]): [EventValue[], EventValue[]] {
  const stages = sides.flat().filter((said) => said.kind === 'stage')
  if (new Set(stages.map(({ pipeline }) => pipeline)).size > 1) return sides
  const bare = (said: EventValue): EventValue => (said.kind === 'stage' ? { ...said, pipeline: null } : said)
  return [sides[0].map(bare), sides[1].map(bare)]
}

function useSays(event: LogEvent): Record<string, Say> {
  const stages = useStageSays(event)
  const values = useValueSays(event)
  return { ...stages, ...values, ...links }
}

const text = (said: string): EventValue => ({ kind: 'text', text: said })

/** Stages of both kinds, and people. */
function useStageSays({ type }: LogEvent): Record<string, Say> {
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

/** Money, dates, texts, and the values of fields by their type. */
function useValueSays({ type }: LogEvent): Record<string, Say> {
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

/** How values of fields are written, by the number of the type; the rest are texts as they are. */
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

/** What is named by its id, and read when it is shown. */
const links: Record<string, Say> = {
  link: record,
  unlink: record,
  note: ({ id }: { id: number }, { type, entity_type, entity_id }) => {
    // A task without a record keeps its result itself: there is no card whose note it could be.
    if (entity_type === 'task')
      return type === 'task_result_added' ? { kind: 'result', of: entity_id } : undefined
    const of = cardKinds.find((kind) => kind === collectionOf(entity_type))
    // That a record was added is marked by a note which says nothing more; one that was deleted is not to be read.
    const isSaid = !/^(lead|contact|company|customer)_added$|_deleted$/.test(type)
    return of && isSaid ? { kind: 'note', of, id } : undefined
  },
  transaction: ({ id }: { id: number }) => ({ kind: 'purchase', id }),
  message: ({ talk_id }: { talk_id?: number }) =>
    talk_id === undefined ? undefined : { kind: 'talk', id: talk_id },
}
