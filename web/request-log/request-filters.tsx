import { useIntegrationNames } from '../data/integration-names.ts'
import { type Filter, useFilterWords } from '../parts/filters/filter.ts'
import { type Choice, choiceFilter } from '../parts/filters/filter-choices.tsx'
import { textFilter } from '../parts/filters/filter-text.tsx'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']
const statuses = ['400', '401', '403', '404', '409', '422', '429']
const classesOfStatus = ['2xx', '3xx', '4xx', '5xx'] as const

const same = (value: string): Choice => ({ value, label: value })

/** Returns all filters of the request log, as the API has them. */
export function useRequestFilters(): Filter[] {
  const words = useFilterWords()
  const { t } = words
  const names = useIntegrationNames()
  const choice = (name: 'direction' | 'status' | 'method' | 'integration', choices: Choice[]) =>
    choiceFilter(words, { name, title: t(`requests.filter.${name}`), member: name, choices, isSingle: true })
  const text = (name: 'path' | 'text' | 'operation' | 'request_id') =>
    textFilter(words, {
      name,
      title: t(`requests.filter.${name}`),
      member: name,
      hint: t(`requests.filter.${name}_hint`),
    })
  const only = (name: 'unread' | 'refused') =>
    choiceFilter(words, {
      name,
      title: t(`requests.filter.${name}`),
      member: name,
      choices: [{ value: 'true', label: t(`requests.filter.${name}_only`) }],
      isSingle: true,
    })
  return [
    choice('status', [
      ...classesOfStatus.map((value) => ({ value, label: t(`requests.status.${value}`) })),
      { value: 'none', label: t('requests.status.none') },
      ...statuses.map(same),
    ]),
    choice(
      'integration',
      [...names].map(([value, label]) => ({ value, label })),
    ),
    choice(
      'direction',
      (['in', 'out'] as const).map((value) => ({ value, label: t(`requests.direction.${value}`) })),
    ),
    choice('method', methods.map(same)),
    text('path'),
    text('text'),
    text('operation'),
    only('refused'),
    only('unread'),
    text('request_id'),
  ]
}
