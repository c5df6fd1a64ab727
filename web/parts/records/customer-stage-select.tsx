import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { customerStagesOptions } from '../../data/pipelines.ts'

type CustomerStageSelectProps = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: number | null
  onChange: (status_id: number) => void
}

/** Selects a customer stage. */
export function CustomerStageSelect({ value, onChange, ...rest }: CustomerStageSelectProps) {
  const { data: stages = [] } = useQuery(customerStagesOptions)
  return (
    <Select
      {...rest}
      data={stages.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value === null ? null : String(value)}
      onChange={(chosen) => chosen !== null && onChange(Number(chosen))}
    />
  )
}
