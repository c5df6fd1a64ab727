import { Autocomplete } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recordOptions, valuesOf } from '../../data/records.ts'
import type { Card } from '../../data/timeline.ts'

interface PhoneInputProps {
  card: Card
  value: string
  onChange: (phone: string) => void
}

/** Enters a phone number, with those of the record and its contacts as suggestions. */
export function PhoneInput({ card, value, onChange }: PhoneInputProps) {
  const { t } = useTranslation()
  const phones = usePhones(card)
  return (
    <Autocomplete
      label={t('timeline.phone')}
      type="tel"
      data={phones}
      value={value}
      onChange={onChange}
      maxLength={255}
      required
    />
  )
}

/** The number of contacts whose phone numbers are suggested. */
const FEW = 5

function usePhones({ collection, id }: Card): string[] {
  const { data: record } = useQuery(recordOptions(collection, id))
  const embedded = record?._embedded as { contacts?: { id: number }[] } | undefined
  const contacts = (embedded?.contacts ?? []).slice(0, FEW)
  const read = useQueries({ queries: contacts.map((one) => recordOptions('contacts', one.id)) })
  const all = [record, ...read.map(({ data }) => data)]
  return [...new Set(all.flatMap((one) => (one ? valuesOf(one, 'PHONE') : [])))]
}
