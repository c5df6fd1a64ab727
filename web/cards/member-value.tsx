import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FieldValue } from '../custom-fields/field-value.tsx'
import { dayOf, secondsOfDay, valuesIn } from '../custom-fields/values.ts'
import { accountOptions } from '../data/accounts.ts'
import { pipelinesOptions } from '../data/pipelines.ts'
import { type Member, valueAt } from '../data/record-patch.ts'
import type { ReadRecord } from '../data/records.ts'
import { customerStagesOptions } from '../data/rows-by-id.ts'
import { segmentsOptions } from '../data/segments.ts'
import { useFormat } from '../parts/format.ts'
import { PersonName } from '../parts/person-name.tsx'
import { StageLabel } from '../parts/stage-label.tsx'
import { useCard } from './card-context.ts'

/** The value of a property, for display. */
export function MemberValue({ member, record }: { member: Member; record: ReadRecord }) {
  const { t } = useTranslation()
  const { fields } = useCard()
  const format = useFormat()
  if (member === 'stage') return <StageOf record={record} />
  if (member === 'responsible_user_id') return <PersonName id={record.responsible_user_id ?? 0} />
  if (member === 'price') return <Money amount={record.price ?? 0} />
  if (member === 'next_price') return <Money amount={record.next_price ?? 0} />
  if (member === 'next_date')
    return record.next_date ? format.calendarDay(secondsOfDay(dayOf(record.next_date))) : t('card.empty')
  if (member === 'segments') return <SegmentNames record={record} />
  if (member === 'tags') return namesOf(record._embedded?.tags) || t('card.empty')
  const field = fields.find(({ id }) => member === `field:${id}`)
  if (!field) return String(record[member as 'name'] ?? '') || t('card.empty')
  const values = valuesIn(record, field.id)
  return values?.length ? <FieldValue field={field} value={values} /> : t('card.empty')
}

const namesOf = (named: readonly { name: string }[] = []) => named.map(({ name }) => name).join(', ')

function SegmentNames({ record }: { record: ReadRecord }) {
  const { t } = useTranslation()
  const { data: segments = [] } = useQuery(segmentsOptions)
  const chosen = valueAt(record, 'segments') as number[] | undefined
  return namesOf(segments.filter(({ id }) => chosen?.includes(id))) || t('card.empty')
}

export function Money({ amount }: { amount: number }) {
  const format = useFormat()
  const { data: account } = useQuery(accountOptions)
  return account ? format.money(amount, account.currency) : null
}

/** Money with its fraction, if it has one. */
export function ExactMoney({ amount }: { amount: number }) {
  const format = useFormat()
  const { data: account } = useQuery(accountOptions)
  return account ? format.amount(Math.round(amount * 100) / 100, account.currency) : null
}

function StageOf({ record }: { record: ReadRecord }) {
  const { collection } = useCard()
  const { data: pipelines = [] } = useQuery(pipelinesOptions)
  const { data: stages = [] } = useQuery({ ...customerStagesOptions, enabled: collection === 'customers' })
  const pipeline = pipelines.find(({ id }) => id === record.pipeline_id)
  const all = collection === 'customers' ? stages : (pipeline?._embedded.statuses ?? [])
  const stage = all.find(({ id }) => id === record.status_id)
  return stage ? <StageLabel name={stage.name} color={stage.color} /> : null
}
