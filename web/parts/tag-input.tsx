import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CardKind } from '../api/records.ts'
import { tagsOptions } from '../api/tags.ts'

type TagInputProps = Omit<TagsInputProps, 'data' | 'searchValue' | 'onSearchChange'> & {
  collection: CardKind
  value: string[]
  onChange: (names: string[]) => void
}

/** Tags by their names: those that there are are offered while one writes, others are made when they are saved. */
export function TagInput({ collection, value, onChange, ...rest }: TagInputProps) {
  const [typed, setTyped] = useState('')
  const [asked] = useDebouncedValue(typed.trim(), 150)
  const { data = [] } = useQuery(tagsOptions(collection, asked))
  return (
    <TagsInput
      maxLength={255}
      maxTags={250}
      acceptValueOnBlur
      {...rest}
      data={[...new Set(data.map(({ name }) => name))]}
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
    />
  )
}
