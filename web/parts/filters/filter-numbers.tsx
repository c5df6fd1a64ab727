import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readAmount, readNumber, writeNumber } from '../texts/numbers.ts'
import { useLocale } from '../texts/region.ts'
import {
  type Filter,
  type FilterEditorProps,
  type FilterWords,
  isOf,
  rangeChange,
  rangeIn,
} from './filter.ts'
import classes from './filter-bar.module.css'

interface NumbersFilter {
  name: string
  title: string
  member: string
  /** Formats a number, for example as money. */
  write?: (value: number) => string
  /** Whether decimals are allowed. */
  hasDecimals?: boolean
}

/** Returns a filter by a range of numbers with optional ends. */
export function numbersFilter(
  words: FilterWords,
  { name, title, member, write = words.format.number, hasDecimals = false }: NumbersFilter,
): Filter {
  return {
    name,
    title,
    owns: isOf(member),
    describe: (search) =>
      describeRange(words, rangeIn(search, member), (end) =>
        Number.isFinite(Number(end)) ? write(Number(end)) : end,
      ),
    Editor: (props) => <RangeEditor {...props} member={member} hasDecimals={hasDecimals} />,
  }
}

/** `from 10`, `to 20`, `10 – 20`. */
export function describeRange(
  { t }: FilterWords,
  { from, to }: { from: string; to: string },
  write: (end: string) => string,
): string | null {
  if (from && to) return from === to ? write(from) : `${write(from)} – ${write(to)}`
  if (from) return t('filters.range_from', { from: write(from) })
  return to ? t('filters.range_to', { to: write(to) }) : null
}

type Range = ReturnType<typeof rangeIn>

/** Milliseconds without typing before the filter applies. */
const REST = 350

function RangeEditor({
  search,
  onChange,
  member,
  hasDecimals,
}: FilterEditorProps & { member: string; hasDecimals: boolean }) {
  const { t } = useTranslation()
  const locale = useLocale()
  const [typed, setTyped] = useState(() => {
    const { from, to } = rangeIn(search, member)
    return { from: writeNumber(from, locale), to: writeNumber(to, locale) }
  })
  const ask = useDebouncedCallback((next: Range) => onChange(rangeChange(search, member, next)), {
    delay: REST,
    flushOnUnmount: true,
  })
  const read = (text: string) => {
    if (text.trim() === '') return ''
    const number = hasDecimals ? readNumber(text, locale) : readAmount(text, locale)
    return number === null ? null : String(number)
  }
  const input = (end: keyof Range) => (
    <TextInput
      label={t(`filters.${end}`)}
      value={typed[end]}
      onChange={({ currentTarget }) => {
        const next = { ...typed, [end]: currentTarget.value }
        setTyped(next)
        const [from, to] = [read(next.from), read(next.to)]
        // An incomplete number does not change the filter.
        if (from !== null && to !== null) ask({ from, to })
        else ask.cancel()
      }}
      error={read(typed[end]) === null && t(hasDecimals ? 'value.not_number' : 'card.not_amount')}
      inputMode="decimal"
      maxLength={40}
      {...(end === 'from' && { 'data-autofocus': true })}
    />
  )
  return (
    <div className={classes.ends}>
      {input('from')}
      {input('to')}
    </div>
  )
}
