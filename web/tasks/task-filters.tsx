import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { colleaguesOptions } from '../data/colleagues.ts'
import { briefOptions } from '../data/record-briefs.ts'
import { type CardKind, cardKinds } from '../data/records.ts'
import { type Filter, isOf, type Search, useFilterWords, without } from '../parts/filters/filter.ts'
import { choiceFilter } from '../parts/filters/filter-choices.tsx'
import { useIntegrationChoices } from '../parts/filters/use-integration-choices.ts'
import { RecordFinder } from '../parts/records/record-finder.tsx'
import { useTaskTypes } from './use-task-types.ts'

const KIND = 'filter[entity_type]'
const RECORD = 'filter[entity_id]'

/** Returns the filters of the task list; by person only if it shows everyone's tasks. */
export function useTaskFilters(search: Search, isOfAll: boolean): Filter[] {
  const { t } = useTranslation()
  const words = useFilterWords()
  const types = useTaskTypes()
  const { data: people = [] } = useQuery(colleaguesOptions)
  const about = useAbout(search)
  const integrations = useIntegrationChoices()
  const filters = [
    choiceFilter(words, {
      name: 'type',
      title: t('tasks.type'),
      member: 'filter[task_type]',
      choices: types.map(({ id, name }) => ({ value: String(id), label: name })),
    }),
    choiceFilter(words, {
      name: 'kind',
      title: t('tasks.kind'),
      member: KIND,
      choices: cardKinds.map((kind) => ({ value: kind, label: t(`search.kinds.${kind}`) })),
    }),
    about,
    choiceFilter(words, {
      name: 'state',
      title: t('tasks.state'),
      member: 'filter[is_completed]',
      isSingle: true,
      choices: [{ value: '1', label: t('tasks.done') }],
    }),
    ...(integrations.length > 0
      ? [
          choiceFilter(words, {
            name: 'integration',
            title: t('tasks.by_integration'),
            member: 'filter[integration]',
            choices: integrations,
          }),
        ]
      : []),
  ]
  if (!isOfAll) return filters
  const person = choiceFilter(words, {
    name: 'person',
    title: t('tasks.person'),
    member: 'filter[responsible_user_id]',
    choices: people.map(({ id, name }) => ({ value: String(id), label: name })),
  })
  return [person, ...filters]
}

/** Returns a filter by the linked record. */
function useAbout(search: Search): Filter {
  const { t } = useTranslation()
  const kind = cardKinds.find((one) => one === search[KIND])
  const id = Number(search[RECORD])
  const { data: record } = useQuery({
    ...briefOptions(kind ?? 'leads', id),
    enabled: kind !== undefined && id > 0,
  })
  return {
    name: 'record',
    title: t('tasks.record'),
    owns: isOf(RECORD),
    describe: () => record?.name ?? search[RECORD] ?? null,
    Editor: ({ onChange }) => (
      <RecordFinder
        label={t('tasks.about')}
        kinds={cardKinds}
        value={kind && id > 0 ? { collection: kind, id } : null}
        onChange={(chosen) =>
          onChange({
            ...without(search, isOf(KIND)),
            [KIND]: chosen?.collection as CardKind | undefined,
            [RECORD]: chosen ? String(chosen.id) : undefined,
          })
        }
      />
    ),
  }
}
