import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { SearchBox } from '../forms/search-box.tsx'

interface QueryBoxProps {
  label: string
  /** The current search. */
  query: string | undefined
  onAsk: (query: string | undefined) => void
}

/** Milliseconds without typing before the search starts. */
const REST = 250

/** The search box of a list. */
export function QueryBox({ label, query = '', onAsk }: QueryBoxProps) {
  const [typed, setTyped] = useState(query)
  const asked = useRef(query)
  const ask = useDebouncedCallback((words: string) => {
    asked.current = words.trim()
    onAsk(asked.current || undefined)
  }, REST)
  // The address changed without this box.
  useEffect(() => {
    if (query === asked.current) return
    asked.current = query
    setTyped(query)
  }, [query])
  const change = (words: string) => {
    setTyped(words)
    ask(words)
  }
  return <SearchBox label={label} value={typed} onChange={change} />
}
