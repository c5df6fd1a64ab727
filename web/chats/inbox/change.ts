import { useQuery } from '@tanstack/react-query'
import { accountOptions } from '../../api/accounts.ts'
import type { Change, LogEvent } from '../../api/events.ts'
import { pipelinesOptions, stageName } from '../../api/records.ts'
import { useFormat } from '../../parts/format.ts'
import { usePersonName } from './people.ts'

type Say = (value: never) => string | undefined

/** What stood before and after, short; nothing where the type of the event says it all. */
export function useChange(): (event: LogEvent) => { before: string; after: string } {
  const format = useFormat()
  const person = usePersonName()
  const { data: pipelines } = useQuery(pipelinesOptions)
  const { data: account } = useQuery(accountOptions)
  const says: Record<string, Say> = {
    lead_status: ({ id, pipeline_id }: { id: number; pipeline_id: number }) =>
      stageName(pipelines, pipeline_id, id)?.stage,
    responsible_user: ({ id }: { id: number }) => person(id),
    sale_field_value: ({ sale }: { sale: number }) => format.money(sale, account?.currency ?? 'USD'),
    name_field_value: ({ name }: { name: string }) => name,
    tag: ({ name }: { name: string }) => name,
    task: ({ text }: { text: string }) => text,
    task_deadline: ({ timestamp }: { timestamp: number }) => format.dateTime(timestamp),
    custom_field_value: ({ text }: { text: string }) => text,
    nps: ({ rate }: { rate: number }) => format.number(rate),
  }
  const side = (changes: Change[]) =>
    changes
      .flatMap((change) => Object.entries(change))
      .map(([name, value]) => says[name]?.(value as never))
      .filter(Boolean)
      .join(', ')
  return ({ value_before, value_after }) => ({ before: side(value_before), after: side(value_after) })
}
