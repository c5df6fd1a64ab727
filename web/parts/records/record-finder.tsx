import { CloseButton, Combobox, type ComboboxStore, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { briefOptions } from '../../data/record-briefs.ts'
import type { Collection } from '../../data/records.ts'
import { type FoundRecord, foundKinds, searchOptions } from '../../data/search.ts'
import classes from './record-finder.module.css'

interface Chosen {
  collection: Collection
  id: number
}

interface RecordFinderProps {
  label: string
  value: Chosen | null
  onChange: (chosen: Chosen | null) => void
  /** The kinds to search; all by default. */
  kinds?: readonly FoundRecord['kind'][]
  disabled?: boolean
}

/** Finds a record of several kinds by its name or fields. */
export function RecordFinder({ label, value, onChange, kinds = foundKinds, disabled }: RecordFinderProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<string>()
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const { words, found, isAnswered, isFetching } = useFound(typed, kinds)
  useFirstSelected(box, isAnswered, words)
  const name = useName(value)
  const choose = (chosen: Chosen | null) => {
    onChange(chosen)
    setTyped(undefined)
    box.closeDropdown()
  }
  const submit = (key: string) => {
    const one = found.find((record) => keyOf(record) === key)
    if (one) choose({ collection: one.collection, id: one.record.id })
  }
  const type = (text: string) => {
    setTyped(text)
    box.openDropdown()
    box.updateSelectedOptionIndex()
  }
  // The list still shows results of an earlier text.
  const holdEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isAnswered) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Combobox store={box} onOptionSubmit={submit}>
      <Combobox.Target>
        <TextInput
          aria-label={label}
          placeholder={label}
          disabled={disabled}
          leftSection={<IconSearch size={14} aria-hidden />}
          rightSection={value && !disabled && <Clear onClick={() => choose(null)} />}
          value={typed ?? name ?? ''}
          onKeyDownCapture={holdEnter}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onBlur={() => {
            box.closeDropdown()
            setTyped(undefined)
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!words}>
        <Combobox.Options mah={260} className={classes.options}>
          {kinds.map((kind) => (
            <Group key={kind} kind={kind} found={found} />
          ))}
          {found.length === 0 && !isFetching && <Combobox.Empty>{t('app.nothing')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** The records that fit what was typed. Until `isAnswered`, they are those of an earlier text. */
function useFound(typed = '', kinds: readonly FoundRecord['kind'][]) {
  const [words] = useDebouncedValue(typed.trim(), 150)
  const { data, isFetching, isPlaceholderData } = useQuery({
    ...searchOptions(words),
    placeholderData: keepPreviousData,
  })
  const found = words ? (data ?? []).filter(({ kind }) => kinds.includes(kind)) : []
  return { words, found, isFetching, isAnswered: words === typed.trim() && !isPlaceholderData }
}

/** Selects the first result of an answered search. */
function useFirstSelected({ selectFirstOption }: ComboboxStore, isAnswered: boolean, words: string): void {
  useEffect(() => {
    if (isAnswered && words) selectFirstOption()
  }, [isAnswered, words, selectFirstOption])
}

function Clear({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation()
  return <CloseButton size="sm" aria-label={t('search.clear')} onClick={onClick} />
}

const keyOf = ({ collection, record }: FoundRecord) => `${collection} ${record.id}`

function Group({ kind, found }: { kind: FoundRecord['kind']; found: FoundRecord[] }) {
  const { t } = useTranslation()
  const own = found.filter((one) => one.kind === kind)
  if (own.length === 0) return null
  return (
    <Combobox.Group label={t(`search.kinds.${kind}`)}>
      {own.map((one) => (
        <Combobox.Option key={keyOf(one)} value={keyOf(one)} className={classes.option}>
          {one.record.name || t('search.unnamed', { id: one.record.id })}
        </Combobox.Option>
      ))}
    </Combobox.Group>
  )
}

function useName(value: Chosen | null) {
  const { data } = useQuery({
    ...briefOptions(value?.collection ?? 'leads', value?.id ?? 0),
    enabled: value !== null,
  })
  return value ? data?.name : undefined
}
