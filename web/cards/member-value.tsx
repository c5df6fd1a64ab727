import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { amountOf } from '../../src/entities/records/amount-types.ts'
import { FieldValue } from '../custom-fields/field-value.tsx'
import { dayOf, secondsOfDay, valuesIn } from '../custom-fields/values.ts'
import { type Member, valueAt } from '../data/record-patch.ts'
import type { ReadRecord } from '../data/records.ts'
import { segmentsOptions } from '../data/segments.ts'
import { PersonName } from '../parts/people/person-name.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { Money } from '../parts/texts/money.tsx'
import { useCard } from './card-context.tsx'
import { RecordStage } from './record-stage.tsx'

/** The value of a property, for display. */
export function MemberValue({ member, record }: { member: Member; record: ReadRecord }) {
  const { t } = useTranslation()
  const { collection, fields } = useCard()
  const format = useFormat()
  if (member === 'stage') return <RecordStage collection={collection} record={record} />
  if (member === 'responsible_user_id') return <PersonName id={record.responsible_user_id ?? 0} />
  if (member === 'price') return <Money amount={amountOf(record, 'price')} />
  if (member === 'next_price') return <Money amount={amountOf(record, 'next_price')} />
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
