import { NumberInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
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
  /** How a number is written; as money, say. */
  write?: (value: number) => string
  /** Whether there are parts of a whole. */
  hasDecimals?: boolean
}

/** Asks for numbers from one to another; either end can be left open. */
export function numbersFilter(
  words: FilterWords,
  { name, title, member, write = words.format.number, hasDecimals = false }: NumbersFilter,
): Filter {
  return {
    name,
    title,
    owns: isOf(member),
    say: (search) =>
      sayRange(words, rangeIn(search, member), (end) =>
        Number.isFinite(Number(end)) ? write(Number(end)) : end,
      ),
    Editor: (props) => <RangeEditor {...props} member={member} hasDecimals={hasDecimals} />,
  }
}

/** `from 10`, `to 20`, `10 – 20`. */
export function sayRange(
  { t }: FilterWords,
  { from, to }: { from: string; to: string },
  write: (end: string) => string,
): string | null {
  if (from && to) return from === to ? write(from) : `${write(from)} – ${write(to)}`
  if (from) return t('filters.said_from', { from: write(from) })
  return to ? t('filters.said_to', { to: write(to) }) : null
}

/** How long typing rests before it is asked for. */
const REST = 350

function RangeEditor({
  search,
  onChange,
  member,
  hasDecimals,
}: FilterEditorProps & { member: string; hasDecimals: boolean }) {
  const { t, i18n } = useTranslation()
  const [range, setRange] = useState(() => rangeIn(search, member))
  const ask = useDebouncedCallback((next: typeof range) => onChange(rangeChange(search, member, next)), {
    delay: REST,
    flushOnUnmount: true,
  })
  const input = (end: 'from' | 'to') => (
    <NumberInput
      label={t(`filters.${end}`)}
      value={range[end]}
      onChange={(value) => {
        const next = { ...range, [end]: String(value) }
        setRange(next)
        ask(next)
      }}
      allowDecimal={hasDecimals}
      decimalSeparator={i18n.language === 'en' ? '.' : ','}
      hideControls
      maxLength={16}
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
