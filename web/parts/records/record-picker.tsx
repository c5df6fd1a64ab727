import type { SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { foundOptions } from '../../data/record-briefs.ts'
import { type AnyRecord, type Collection, wordOf } from '../../data/records.ts'
import { SearchSelect } from '../forms/search-select.tsx'
import { useHeldEnter } from '../forms/use-held-enter.ts'
import classes from './record-picker.module.css'
import { useRecordHint } from './use-record-hint.ts'

type RecordPickerProps = Omit<
  SelectProps,
  'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange'
> & {
  collection: Collection
  /** Records that are already linked. */
  without?: readonly number[]
  /** Whether a found record can be picked; all can by default. */
  isOffered?: (record: AnyRecord) => boolean
  onPick: (id: number, name: string, record: AnyRecord) => void
  /** Offers to create a record with the typed name. */
  onNew?: (name: string) => void
}

const NEW = 'new'

/** Finds a record by its name or fields. */
export function RecordPicker({
  collection,
  without = [],
  isOffered = () => true,
  onPick,
  onNew,
  ...rest
}: RecordPickerProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [asked] = useDebouncedValue(typed.trim(), 150)
  const {
    data = [],
    isFetching,
    isPending,
    isPlaceholderData,
  } = useQuery({
    ...foundOptions(collection, asked),
    placeholderData: keepPreviousData,
  })
  const hint = useRecordHint()
  const shown = data.filter((one) => !without.includes(one.id) && isOffered(one))
  const found = shown.map(({ id, name }) => ({ value: String(id), label: name || `#${id}` }))
  // All items are of the same list, which is their hint elsewhere.
  const hints = new Map(
    wordOf(collection) === 'elements' ? [] : shown.map((one) => [String(one.id), hint(collection, one)]),
  )
  const offered = onNew ? [{ value: NEW, label: t('record.make_new', { name: typed.trim() }) }] : []
  const pick = (value: string, label: string) => {
    if (value === NEW) onNew?.(typed.trim())
    const record = shown.find(({ id }) => String(id) === value)
    if (record) onPick(record.id, label, record)
  }
  const isAnswered = asked === typed.trim() && !isPending && !isPlaceholderData
  const [first] = [...found, ...offered]
  const holdEnter = useHeldEnter(isAnswered, () => {
    if (first) pick(first.value, first.label)
  })
  return (
    <SearchSelect
      placeholder={t('record.find')}
      defaultDropdownOpened
      {...rest}
      selectFirstOptionOnChange={isAnswered}
      onKeyDownCapture={holdEnter}
      // The server has filtered already, by fields too.
      filter={({ options }) => options}
      data={[...found, ...offered]}
      value={null}
      onChange={(value, option) => {
        if (value !== null && option) pick(value, option.label)
      }}
      renderOption={({ option: { value, label } }) => {
        const text = [label, hints.get(value)].filter(Boolean).join(' · ')
        return (
          <span className={classes.option} title={text}>
            {text}
          </span>
        )
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={isFetching ? t('app.loading') : t('app.nothing')}
    />
  )
}
