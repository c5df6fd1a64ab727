import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CardKind } from '../../data/records.ts'
import { tagsOptions } from '../../data/tags.ts'

type TagInputProps = Omit<TagsInputProps, 'data' | 'searchValue' | 'onSearchChange'> & {
  collection: CardKind
  value: string[]
  onChange: (names: string[]) => void
}

/** Edits tags by name, with suggestions. Saving creates unknown tags. */
export function TagInput({ collection, value, onChange, ...rest }: TagInputProps) {
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [asked] = useDebouncedValue(typed.trim(), 150)
  const { data = [] } = useQuery(tagsOptions(collection, asked))
  return (
    <TagsInput
      maxLength={255}
      maxTags={250}
      acceptValueOnBlur
      openOnFocus={false}
      onClick={() => setOpen(true)}
      onKeyDown={(event) => {
        // The first Escape closes the list, and the next one what is around it.
        if (event.key === 'Escape' && isOpen && data.length > 0) event.stopPropagation()
      }}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      {...rest}
      data={[...new Set(data.map(({ name }) => name))]}
      value={value}
      onChange={(names) => {
        setOpen(false)
        onChange(names)
      }}
      searchValue={typed}
      onSearchChange={(text) => {
        setTyped(text)
        // Chosen from the list or added, the text is gone.
        setOpen(text.trim() !== '')
      }}
    />
  )
}
