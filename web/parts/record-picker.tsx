import type { SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { foundOptions } from '../data/record-briefs.ts'
import type { Collection } from '../data/records.ts'
import classes from './record-picker.module.css'
import { SearchSelect } from './search-select.tsx'

type RecordPickerProps = Omit<
  SelectProps,
  'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange'
> & {
  collection: Collection
  /** Those that are linked already. */
  without?: readonly number[]
  onPick: (id: number, name: string) => void
  /** Offers to make one of the name that was typed. */
  onNew?: (name: string) => void
}

const NEW = 'new'

/** Finds a record by words of its name or its fields. */
export function RecordPicker({ collection, without = [], onPick, onNew, ...rest }: RecordPickerProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [asked] = useDebouncedValue(typed.trim(), 150)
  const {
    data = [],
    isFetching,
    isPlaceholderData,
  } = useQuery({
    ...foundOptions(collection, asked),
    placeholderData: keepPreviousData,
  })
  const found = data
    .filter(({ id }) => !without.includes(id))
    .map(({ id, name }) => ({ value: String(id), label: name || `#${id}` }))
  const offered = onNew ? [{ value: NEW, label: t('record.make_new', { name: typed.trim() }) }] : []
  const pick = (value: string, label: string) => {
    if (value === NEW) onNew?.(typed.trim())
    else onPick(Number(value), label)
  }
  const isAnswered = asked === typed.trim() && !isPlaceholderData
  const [first] = [...found, ...offered]
  const isEntered = useRef(false)
  // Until the answer is there the list shows that of an earlier text: Enter waits for it.
  const onKeyDownCapture = (event: KeyboardEvent) => {
    isEntered.current = event.key === 'Enter' && !isAnswered && !event.nativeEvent.isComposing
    if (!isEntered.current) return
    event.preventDefault()
    event.stopPropagation()
  }
  useEffect(() => {
    if (!isAnswered || !isEntered.current) return
    isEntered.current = false
    if (first) pick(first.value, first.label)
  })
  return (
    <SearchSelect
      placeholder={t('record.find')}
      defaultDropdownOpened
      {...rest}
      selectFirstOptionOnChange={isAnswered}
      onKeyDownCapture={onKeyDownCapture}
      // What was found is what fits: the server also looks into the fields.
      filter={({ options }) => options}
      data={[...found, ...offered]}
      value={null}
      onChange={(value, option) => {
        if (value !== null && option) pick(value, option.label)
      }}
      renderOption={({ option }) => (
        <span className={classes.option} title={option.label}>
          {option.label}
        </span>
      )}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={isFetching ? t('app.loading') : t('app.nothing')}
    />
  )
}
