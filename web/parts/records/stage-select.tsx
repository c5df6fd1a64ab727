import type { OptionsFilter, SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  INCOMING,
  type Pipeline,
  pipelinesOptions,
  placeOf,
  type StagePlace,
  stageAt,
} from '../../data/pipelines.ts'
import { SearchSelect } from '../forms/search-select.tsx'
import { StageLabel } from './stage-label.tsx'

type StageSelectProps = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'renderOption'> & {
  value: StagePlace | null
  onChange: (place: StagePlace) => void
}

/** Selects a stage of any pipeline, grouped by pipeline if there are several. */
export function StageSelect({ value, onChange, ...rest }: StageSelectProps) {
  const { t } = useTranslation()
  const { data: pipelines = [] } = useQuery(pipelinesOptions)
  const offered = pipelines.filter(({ id, is_archive }) => !is_archive || id === value?.pipeline_id)
  const chosen = value && stageAt(pipelines, value)
  return (
    <SearchSelect
      {...rest}
      data={grouped(offered, value)}
      value={chosen ? keyOf(value) : null}
      onChange={(key) => key !== null && onChange(readKey(key))}
      leftSection={chosen && <StageLabel name="" color={chosen.color} />}
      leftSectionWidth={chosen ? 30 : undefined}
      filter={byNames}
      nothingFoundMessage={t('app.nothing')}
      renderOption={({ option }) => {
        const stage = stageAt(offered, readKey(option.value))
        return stage ? <StageLabel name={stage.name} color={stage.color} /> : option.label
      }}
    />
  )
}

/** Closed stages have the same id in every pipeline, so a key needs both ids. */
export const keyOf = ({ pipeline_id, status_id }: StagePlace) => `${pipeline_id}:${status_id}`
export const readKey = (key: string): StagePlace => {
  const [pipeline_id, status_id] = key.split(':').map(Number) as [number, number]
  return { pipeline_id, status_id }
}

/**
 * The stage of incoming leads is only listed while it is selected. The chosen stage has its pipeline's name before it, because
 * the group is not shown once the list is closed.
 */
function grouped(pipelines: Pipeline[], value: StagePlace | null) {
  const isOne = pipelines.length === 1
  const groups = pipelines.map(({ name, _embedded: { statuses } }) => ({
    group: name,
    items: statuses
      .filter(({ id, type }) => type !== INCOMING || id === value?.status_id)
      .map((stage) => ({
        value: keyOf(placeOf(stage)),
        label: isOne ? stage.name : `${name} · ${stage.name}`,
      })),
  }))
  return groups.length === 1 ? groups[0]?.items : groups
}

/** Many pipelines have stages of the same names, so the name of a pipeline finds all of its stages. */
const byNames: OptionsFilter = ({ options, search }) => {
  const words = search.trim().toLowerCase()
  const isMatch = (name: string) => name.toLowerCase().includes(words)
  return options.flatMap((option): typeof options => {
    if (!('items' in option)) return isMatch(option.label) ? [option] : []
    if (isMatch(String(option.group))) return [option]
    const items = option.items.filter(({ label }) => isMatch(label))
    return items.length > 0 ? [{ ...option, items }] : []
  })
}
