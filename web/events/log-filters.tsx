import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { eventGroups, valueFilters } from '../../src/events/event-types.ts'
import { colleaguesOptions } from '../data/colleagues.ts'
import { eventTypesOptions } from '../data/events.ts'
import type { Language } from '../data/session.ts'
import {
  changed,
  type Filter,
  isOf,
  type Search,
  type SearchChange,
  useFilterWords,
  valuesIn,
  without,
} from '../parts/filters/filter.ts'
import { type Choice, ChoiceEditor, choiceFilter, describeChoices } from '../parts/filters/filter-choices.tsx'
import { textFilter } from '../parts/filters/filter-text.tsx'
import { timesFilter } from '../parts/filters/filter-times.tsx'
import { useIntegrationChoices } from '../parts/filters/use-integration-choices.ts'
import { useAboutFilter } from './about-filter.tsx'
import { fits, groupOf, withoutMisfits } from './type-groups.ts'
import { useValueFilters } from './value-filters.tsx'

export const TYPES = 'filter[type]'

/** Returns all filters of the log, as the API has them. */
export function useLogFilters(search: Search): Filter[] {
  const { t } = useTranslation()
  const words = useFilterWords()
  const typeFilter = useTypeFilter()
  const about = useAboutFilter()
  const values = useValueFilters(search)
  const { data: colleagues = [] } = useQuery(colleaguesOptions)
  const integrations = useIntegrationChoices()
  const people = colleagues.map(({ id, name }) => ({ value: String(id), label: name }))
  return [
    typeFilter,
    about,
    choiceFilter(words, {
      name: 'who',
      title: t('events.filter.who'),
      member: 'filter[created_by]',
      choices: [...people, { value: '0', label: t('events.no_person') }],
    }),
    ...(integrations.length > 0
      ? [
          choiceFilter(words, {
            name: 'integration',
            title: t('events.filter.integration'),
            member: 'filter[integration]',
            choices: integrations,
          }),
        ]
      : []),
    timesFilter(words, { name: 'when', title: t('events.filter.when'), member: 'filter[created_at]' }),
    ...values,
    textFilter(words, {
      name: 'event_id',
      title: t('events.filter.event_id'),
      member: 'filter[id]',
      hint: t('events.filter.event_id_hint'),
    }),
  ]
}

/** Returns a filter by event types, grouped by subject, including changes of each custom field. */
function useTypeFilter(): Filter {
  const { t, i18n } = useTranslation()
  const words = useFilterWords()
  const { data: names, isPending } = useQuery(eventTypesOptions(i18n.language as Language))
  const owns = isOf(TYPES)
  const title = t('events.filter.type')
  const choices = [...(names ?? [])]
    .map(([value, label]): Choice & { order: number } => {
      const group = groupOf(value)
      return { value, label, group: t(`events.group.${group}`), order: eventGroups.indexOf(group) }
    })
    .toSorted((a, b) => a.order - b.order)
  return {
    name: 'type',
    title,
    owns,
    describe: (search) => {
      const chosen = valuesIn(search, TYPES)
      return isPending && chosen.length > 0 ? '…' : describeChoices(words, choices, chosen)
    },
    Editor: ({ search, onChange }) => {
      const chosen = valuesIn(search, TYPES)
      return (
        <ChoiceEditor
          label={title}
          choices={choices}
          chosen={chosen}
          onChoose={(next) => {
            const types = withoutMisfits(next, chosen)
            onChange({ ...without(search, owns), [TYPES]: types.join(',') || undefined })
          }}
        />
      )
    },
  }
}

/** Removes filters from a change that do not fit its event types. */
export function fittingChange(search: Search, change: SearchChange): SearchChange {
  const next = changed(search, change)
  const types = valuesIn(next, TYPES)
  const misfits = valueFilters
    .filter((name) => !fits(name, types))
    .flatMap((name) => ['after', 'before'].map((side) => isOf(`filter[value_${side}][${name}]`)))
  const isOne = valuesIn(next, 'filter[entity]').length === 1
  const gone = (member: string) =>
    misfits.some((owns) => owns(member)) || (!isOne && isOf('filter[entity_id]')(member))
  return { ...change, ...without(next, gone) }
}
