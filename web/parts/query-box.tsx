import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { SearchBox } from './search-box.tsx'

interface QueryBoxProps {
  label: string
  /** What is asked for now. */
  query: string | undefined
  onAsk: (query: string | undefined) => void
}

/** How long typing rests before it is asked for. */
const REST = 250

/** The search of a list; what is typed is asked for when the typing rests. */
export function QueryBox({ label, query = '', onAsk }: QueryBoxProps) {
  const [typed, setTyped] = useState(query)
  const asked = useRef(query)
  const ask = useDebouncedCallback((words: string) => {
    asked.current = words.trim()
    onAsk(asked.current || undefined)
  }, REST)
  // The address was changed by something else than this box.
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
