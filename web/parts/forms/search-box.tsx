import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

interface SearchBoxProps {
  label: string
  value: string
  onChange: (value: string) => void
}

/** Searches the list below it. `/` focuses it (shell/shortcuts.tsx). */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  return (
    <TextInput
      type="search"
      data-search-box
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      leftSection={<IconSearch size={14} aria-hidden />}
    />
  )
}

/** Whether the text contains all typed words. */
export const matches = (typed: string, ...texts: string[]) => {
  const text = texts.join(' ').toLocaleLowerCase()
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
