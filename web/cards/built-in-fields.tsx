import { TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { amountOf } from '../../src/entities/records/amount-types.ts'
import { EditorBox } from '../custom-fields/editor-box.tsx'
import { TimeBox } from '../custom-fields/time-box.tsx'
import { dayOf, secondsOfDay } from '../custom-fields/values.ts'
import { type CardKind, wordOf } from '../data/records.ts'
import { TagInput } from '../parts/forms/tag-input.tsx'
import { FoldingText } from '../parts/layout/folding-text.tsx'
import { PersonName } from '../parts/people/person-name.tsx'
import { PersonSelect } from '../parts/people/person-select.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { Money } from '../parts/texts/money.tsx'
import { readAmount, writeNumber } from '../parts/texts/numbers.ts'
import { useLocale } from '../parts/texts/region.ts'
import { useCard } from './card-context.tsx'
import classes from './card-field.module.css'
import { CardField } from './card-field.tsx'
import { CustomerSegments } from './customer-segments.tsx'
import { useIsSummed } from './product-prices.ts'

/** The fields that every record of a kind has, before its custom fields. */
export function BuiltInFields() {
  const { collection } = useCard()
  const word = wordOf(collection)
  if (word === 'elements') return null
  return (
    <dl className={classes.fields}>
      <Responsible />
      {word === 'leads' && <Price member="price" />}
      {word === 'customers' && <Price member="next_price" />}
      {word === 'customers' && <NextDate />}
      {word === 'customers' && <Bought />}
      <Tags kind={word} />
      {word === 'customers' && <CustomerSegments />}
    </dl>
  )
}

function Responsible() {
  const { t } = useTranslation()
  const { record } = useCard()
  return (
    <CardField
      member="responsible_user_id"
      label={t('record.responsible')}
      editor={({ seen, save, cancel }) => (
        <EditorBox onSave={cancel} onCancel={cancel}>
          <PersonSelect
            aria-label={t('record.responsible')}
            defaultDropdownOpened
            value={seen.responsible_user_id ?? null}
            onChange={(id) =>
              id === seen.responsible_user_id ? cancel() : save({ responsible_user_id: id })
            }
          />
        </EditorBox>
      )}
    >
      <PersonName id={record.responsible_user_id ?? 0} />
    </CardField>
  )
}

function Price({ member }: { member: 'price' | 'next_price' }) {
  const { t } = useTranslation()
  const { record } = useCard()
  const isSummed = useIsSummed(record)
  const label = t(member === 'price' ? 'records.price' : 'record.next_price')
  return (
    <CardField
      member={member}
      label={label}
      isEmpty={amountOf(record, member) === 0}
      lock={member === 'price' && isSummed ? t('card.summed') : undefined}
      editor={({ seen, save, cancel }) => (
        <AmountEditor
          label={label}
          before={amountOf(seen, member)}
          onSave={(amount) => save({ [member]: amount })}
          onCancel={cancel}
        />
      )}
    >
      <Money amount={amountOf(record, member)} />
    </CardField>
  )
}

interface AmountEditorProps {
  label: string
  before: number
  onSave: (amount: number) => void
  onCancel: () => void
}

function AmountEditor({ label, before, onSave, onCancel }: AmountEditorProps) {
  const { t } = useTranslation()
  const locale = useLocale()
  const [typed, setTyped] = useState(before ? writeNumber(before, locale) : '')
  const [isWrong, setWrong] = useState(false)
  const amount = readAmount(typed.trim() || '0', locale)
  const save = () => {
    if (amount === null) setWrong(true)
    else if (amount === before) onCancel()
    else onSave(amount)
  }
  return (
    <EditorBox
      onSave={save}
      onCancel={onCancel}
      isChanged={amount !== before}
      fault={isWrong ? t('card.not_amount') : undefined}
    >
      <TextInput
        aria-label={label}
        inputMode="decimal"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        error={isWrong}
      />
    </EditorBox>
  )
}

function NextDate() {
  const { t } = useTranslation()
  const format = useFormat()
  const { record } = useCard()
  const label = t('card.next_date')
  return (
    <CardField
      member="next_date"
      label={label}
      isEmpty={!record.next_date}
      editor={({ seen, save, cancel }) => (
        <TimeBox
          type="date"
          label={label}
          min="1970-01-01"
          before={seen.next_date ? dayOf(seen.next_date) : ''}
          onSave={(day) => save({ next_date: day === '' ? null : secondsOfDay(day) })}
          onCancel={cancel}
        />
      )}
    >
      {format.calendarDay(secondsOfDay(dayOf(record.next_date ?? 0)))}
    </CardField>
  )
}

/** The total of the purchases, computed by the server. */
function Bought() {
  const { t } = useTranslation()
  const { record } = useCard()
  const { purchases_count = 0, average_check_with_minor_units: average = 0 } = record
  return (
    <CardField member="ltv" label={t('card.bought')} isEmpty={purchases_count === 0}>
      <Money amount={amountOf(record, 'ltv')} />{' '}
      <span className={classes.tag}>
        {t('card.purchases_count', { count: purchases_count })}, ⌀{'\u00a0'}
        <Money amount={average} />
      </span>
    </CardField>
  )
}

function Tags({ kind }: { kind: CardKind }) {
  const { t } = useTranslation()
  const { record } = useCard()
  const tags = record._embedded?.tags ?? []
  return (
    <CardField
      member="tags"
      label={t('card.tags')}
      isEmpty={tags.length === 0}
      editor={({ seen, save, cancel }) => {
        const before = (seen._embedded?.tags ?? []).map(({ name }) => name)
        return (
          <TagsEditor
            kind={kind}
            before={before}
            onSave={(after) => {
              const added = after.filter((name) => !before.includes(name))
              const gone = before.filter((name) => !after.includes(name))
              if (added.length + gone.length === 0) cancel()
              else save({ tags_to_add: added.map(named), tags_to_delete: gone.map(named) })
            }}
            onCancel={cancel}
          />
        )
      }}
    >
      <FoldingText className={classes.folded}>
        <span className={classes.tags}>
          {tags.map(({ name }) => (
            <span key={name} className={classes.chip}>
              {name}
            </span>
          ))}
        </span>
      </FoldingText>
    </CardField>
  )
}

const named = (name: string) => ({ name })

interface TagsEditorProps {
  kind: CardKind
  before: string[]
  onSave: (after: string[]) => void
  onCancel: () => void
}

function TagsEditor({ kind, before, onSave, onCancel }: TagsEditorProps) {
  const { t } = useTranslation()
  const [names, setNames] = useState(before)
  const isChanged = names.join() !== before.join()
  // On blur, the tag input adds the remaining text as a tag just before this saves.
  const latest = useRef(before)
  const keep = (after: string[]) => {
    latest.current = after
    setNames(after)
  }
  return (
    <EditorBox
      onSave={() => onSave(latest.current)}
      onCancel={onCancel}
      isChanged={isChanged}
      hint={t('card.tags_hint')}
    >
      <TagInput aria-label={t('card.tags')} collection={kind} value={names} onChange={keep} />
    </EditorBox>
  )
}
