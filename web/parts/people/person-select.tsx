import type { SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { colleaguesOptions } from '../../data/colleagues.ts'
import { SearchSelect } from '../forms/search-select.tsx'

type PersonSelectProps = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: number | null
  onChange: (id: number) => void
}

/** Selects a person of the account. A removed person is only listed while selected. */
export function PersonSelect({ value, onChange, ...rest }: PersonSelectProps) {
  const { data = [] } = useQuery(colleaguesOptions)
  const people = data.filter(({ id, is_active }) => is_active || id === value)
  return (
    <SearchSelect
      {...rest}
      data={people.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value === null ? null : String(value)}
      onChange={(chosen) => chosen !== null && onChange(Number(chosen))}
    />
  )
}
