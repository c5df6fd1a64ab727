import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type ValueFilter, valueFilters } from '../../src/events/event-types.ts'
import { colleaguesOptions } from '../data/colleagues.ts'
import { fieldChoicesOptions } from '../data/fields.ts'
import { customerStagesOptions, pipelinesOptions } from '../data/pipelines.ts'
import {
  type Filter,
  type FilterWords,
  isOf,
  type Search,
  useFilterWords,
  valuesIn,
  without,
} from '../parts/filters/filter.ts'
import { type Choice, ChoiceEditor, choiceFilter, describeChoices } from '../parts/filters/filter-choices.tsx'
import { textFilter } from '../parts/filters/filter-text.tsx'
import { StageLabel } from '../parts/records/stage-label.tsx'
import { fieldIn, fits } from './type-groups.ts'

type Side = 'after' | 'before'

/** Returns the filters by value that fit the selected types. */
export function useValueFilters(search: Search): Filter[] {
  const { t } = useTranslation()
  const words = useFilterWords()
  const types = valuesIn(search, 'filter[type]')
  const field = fieldIn(types)
  const choices = useChoices(field)
  return (['after', 'before'] as const).flatMap((side) =>
    valueFilters
      .filter((name) => fits(name, types) && (name !== 'custom_field_values' || choices[name].length > 0))
      .map((name) => make[name](words, { name, side, t, choices: choices[name] })),
  )
}

function useChoices(field: number | undefined): Record<ValueFilter, Choice[]> {
  const { data: pipelines = [] } = useQuery(pipelinesOptions)
  const { data: stages = [] } = useQuery(customerStagesOptions)
  const { data: people = [] } = useQuery(colleaguesOptions)
  const { data: enums = [] } = useQuery({ ...fieldChoicesOptions(field ?? 0), enabled: field !== undefined })
  const mark = (color: string) => <StageLabel name="" color={color} />
  return {
    leads_statuses: pipelines.flatMap((pipeline) =>
      pipeline._embedded.statuses.map(({ id, name, color }) => ({
        value: `${pipeline.id}.${id}`,
        label: name,
        mark: mark(color),
        group: pipelines.length > 1 ? pipeline.name : undefined,
      })),
    ),
    customers_statuses: stages.map(({ id, name, color }) => ({
      value: String(id),
      label: name,
      mark: mark(color),
    })),
    responsible_user_id: people.map(({ id, name }) => ({ value: String(id), label: name })),
    custom_field_values: enums.map(({ id, value }) => ({ value: String(id), label: value })),
    value: [],
  }
}

interface Made {
  name: ValueFilter
  side: Side
  choices: Choice[]
  t: TFunction<'web'>
}
type Make = (words: FilterWords, made: Made) => Filter

const baseOf = ({ name, side, t }: Made) => ({
  name: `${name} ${side}`,
  member: `filter[value_${side}][${name}]`,
  title: t('events.filter.sided', {
    what: t(`events.filter.${name}`),
    side: t(side === 'after' ? 'events.to' : 'events.from_to'),
  }),
})

const ofChoices: Make = (words, made) => choiceFilter(words, { ...baseOf(made), choices: made.choices })

/** Stages are sent as `[n][status_id]`, those of leads with their pipeline. */
const ofStages =
  (members: readonly string[]): Make =>
  (words, made) => {
    const { name, member, title } = baseOf(made)
    const owns = isOf(member)
    const read = (search: Search) => stagesIn(search, member, members)
    return {
      name,
      title,
      owns,
      describe: (search) => describeChoices(words, made.choices, read(search)),
      Editor: ({ search, onChange }) => (
        <ChoiceEditor
          label={title}
          choices={made.choices}
          chosen={read(search)}
          onChoose={(values) =>
            onChange({ ...without(search, owns), ...Object.assign({}, ...values.map(written)) })
          }
        />
      ),
    }
    function written(value: string, n: number) {
      const parts = value.split('.')
      return Object.fromEntries(members.map((one, i) => [`${member}[${n}][${one}]`, parts[i] as string]))
    }
  }

function stagesIn(search: Search, member: string, members: readonly string[]): string[] {
  const places = new Map<string, Record<string, string>>()
  for (const [name, value] of Object.entries(search)) {
    const [, n, part] = name.startsWith(member) ? (/\[(\d+)\]\[(\w+)\]$/.exec(name) ?? []) : []
    if (n !== undefined && part) places.set(n, { ...places.get(n), [part]: value })
  }
  return [...places.values()].map((place) => members.map((one) => place[one] ?? '').join('.'))
}

const make: Record<ValueFilter, Make> = {
  leads_statuses: ofStages(['pipeline_id', 'status_id']),
  customers_statuses: ofStages(['status_id']),
  responsible_user_id: ofChoices,
  custom_field_values: ofChoices,
  value: (words, made) => textFilter(words, { ...baseOf(made), hint: made.t('events.filter.value_hint') }),
}
