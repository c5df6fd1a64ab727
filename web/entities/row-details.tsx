import { amountOf } from '../../src/entities/records/amount-types.ts'
import { digitsOf } from '../custom-fields/values.ts'
import { type AnyRecord, type Collection, valuesOf, wordOf } from '../data/records.ts'
import { type CellWords, ContactCell, MomentCell, PersonCell, StageCell } from './list-cells.tsx'

interface RowDetailsProps {
  record: AnyRecord
  collection: Collection
  words: CellWords
}

/** The second line of a row on narrow screens. */
export function RowDetails({ record, collection, words }: RowDetailsProps) {
  const { pipeline_id, status_id, responsible_user_id, updated_at } = record
  const word = wordOf(collection)
  const money = words.money(amountOf(record, word === 'customers' ? 'next_price' : 'price'))
  const [phone] = valuesOf(record, 'PHONE')
  return (
    <>
      <StageCell of={words.stage(pipeline_id, status_id)} />
      {word === 'leads' && <ContactCell of={record} />}
      {money !== undefined && <span>{money}</span>}
      {phone && <a href={`tel:${digitsOf(phone)}`}>{phone}</a>}
      {(word === 'contacts' || word === 'companies') && (
        <PersonCell name={words.person(responsible_user_id)} />
      )}
      <MomentCell at={updated_at} words={words} />
    </>
  )
}
