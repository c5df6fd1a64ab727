import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { pipelinesOptions } from '../data/pipelines.ts'
import { SearchMultiSelect } from '../parts/search-select.tsx'
import { StageLabel } from '../parts/stage-label.tsx'
import { useClearable } from '../parts/use-clearable.ts'
import type { Place } from './field-draft.ts'

interface StagesSelectProps {
  label: string
  value: Place[]
  onChange: (places: Place[]) => void
}

const keyOf = ({ pipeline_id, status_id }: Place) => `${pipeline_id}:${status_id}`

/** Selects stages of any pipelines. */
export function StagesSelect({ label, value, onChange }: StagesSelectProps) {
  const { t } = useTranslation()
  const { data: pipelines = [] } = useQuery(pipelinesOptions)
  const stages = new Map(
    pipelines.flatMap(({ id: pipeline_id, name: pipeline, _embedded: { statuses } }) =>
      statuses.map((stage) => [keyOf({ pipeline_id, status_id: stage.id }), { ...stage, pipeline }] as const),
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
      data={pipelines.map(({ id: pipeline_id, name, _embedded: { statuses } }) => ({
        group: name,
        items: statuses.map((stage) => ({
          value: keyOf({ pipeline_id, status_id: stage.id }),
          label: isOnly ? stage.name : `${name}: ${stage.name}`,
        })),
      }))}
      renderOption={({ option }) => {
        const stage = stages.get(option.value)
        return stage ? <StageLabel name={stage.name} color={stage.color} /> : option.label
      }}
      value={value.map(keyOf)}
      onChange={(keys) =>
        onChange(
          keys.map((key) => {
            const [pipeline_id, status_id] = key.split(':').map(Number) as [number, number]
            return { pipeline_id, status_id }
          }),
        )
      }
    />
  )
}
