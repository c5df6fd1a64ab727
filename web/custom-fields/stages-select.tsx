import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { pipelinesOptions, placeOf, type StagePlace } from '../data/pipelines.ts'
import { SearchMultiSelect } from '../parts/forms/search-select.tsx'
import { useClearable } from '../parts/forms/use-clearable.ts'
import { StageLabel } from '../parts/records/stage-label.tsx'
import { keyOf, readKey } from '../parts/records/stage-select.tsx'

interface StagesSelectProps {
  label: string
  value: StagePlace[]
  onChange: (places: StagePlace[]) => void
}

/** Selects stages of any pipelines. */
export function StagesSelect({ label, value, onChange }: StagesSelectProps) {
  const { t } = useTranslation()
  const { data: pipelines = [] } = useQuery(pipelinesOptions)
  const stages = new Map(
    pipelines.flatMap(({ _embedded: { statuses } }) =>
      statuses.map((stage) => [keyOf(placeOf(stage)), stage] as const),
    ),
  )
  const isOnly = pipelines.length === 1
  const clearable = useClearable()
  return (
    <SearchMultiSelect
      label={label}
      {...clearable(label)}
      hidePickedOptions
      nothingFoundMessage={t('app.nothing')}
      data={pipelines.map(({ name, _embedded: { statuses } }) => ({
        group: name,
        items: statuses.map((stage) => ({
          value: keyOf(placeOf(stage)),
          label: isOnly ? stage.name : `${name}: ${stage.name}`,
        })),
      }))}
      renderOption={({ option }) => {
        const stage = stages.get(option.value)
        return stage ? <StageLabel name={stage.name} color={stage.color} /> : option.label
      }}
      value={value.map(keyOf)}
      onChange={(keys) => onChange(keys.map(readKey))}
    />
  )
}
