import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { accountOptions } from '../data/accounts.ts'
import { colleaguesOptions } from '../data/colleagues.ts'
import { fieldsOptions } from '../data/fields.ts'
import { lossReasonsOptions } from '../data/loss-reasons.ts'
import { customerStagesOptions, pipelinesOptions } from '../data/pipelines.ts'
import { type CardKind, type Collection, wordOf } from '../data/records.ts'
import { segmentsOptions } from '../data/segments.ts'
import { everyTagOptions } from '../data/tags.ts'
import { type Filter, type Search, useFilterWords } from '../parts/filters/filter.ts'
import { type Choice, choiceFilter } from '../parts/filters/filter-choices.tsx'
import { numbersFilter } from '../parts/filters/filter-numbers.tsx'
import { timesFilter } from '../parts/filters/filter-times.tsx'
import { useIntegrationChoices } from '../parts/filters/use-integration-choices.ts'
import { fieldFilter, goneFieldFilters } from './field-filter.ts'
import { stageFilter } from './stage-filter.tsx'

/** Returns all filters of a list: built-in ones, custom fields, and deleted fields that the address names. */
export function useListFilters(collection: Collection, search: Search): Filter[] {
  const words = useFilterWords()
  const { data: fields } = useQuery(fieldsOptions(collection))
  const of = useChoices(collection)
  const integrations = useIntegrationChoices()
  return useMemo(() => {
    const { t, format } = words
    const word = wordOf(collection)
    const money = (value: number) => format.money(value, of.currency)
    const choice = (name: string, title: string, member: string, choices: Choice[]) =>
      choices.length > 0 ? [choiceFilter(words, { name, title, member: `filter[${member}]`, choices })] : []
    const times = (name: string, title: string, spans: 'past' | 'ahead' = 'past') =>
      timesFilter(words, { name, title, member: `filter[${name}]`, spans })
    const numbers = (name: string, title: string) =>
      numbersFilter(words, { name, title, member: `filter[${name}]`, write: money })
    return [
      ...(word === 'leads' ? [stageFilter(words, t('list.stage'), of.pipelines)] : []),
      ...(word === 'customers' ? choice('status', t('list.stage'), 'status_id', of.customerStages) : []),
      ...(word === 'elements'
        ? []
        : choice('responsible', t('list.responsible'), 'responsible_user_id', of.people)),
      ...(word === 'leads' ? [numbers('price', t('list.price'))] : []),
      ...(word === 'customers' ? [numbers('next_price', t('list.next_price'))] : []),
      ...(word === 'customers' ? [times('next_date', t('list.next_date'), 'ahead')] : []),
      ...choice('tags', t('list.tags'), 'tags', of.tags),
      ...choice('segments', t('card.segments'), 'segments', of.segments),
      ...(fields ?? []).map((field) => fieldFilter(words, field)),
      ...(fields ? goneFieldFilters(words, search, fields) : []),
      ...(word === 'elements' ? [] : [times('closest_task_at', t('list.closest_task_at'), 'ahead')]),
      times('created_at', t('list.created_at')),
      times('updated_at', t('list.updated_at')),
      ...(word === 'leads' ? [times('closed_at', t('list.closed_at'))] : []),
      ...(word === 'leads'
        ? choice('loss_reason', t('list.loss_reason'), 'loss_reason_id', of.lossReasons)
        : []),
      ...choice('created_by', t('list.created_by'), 'created_by', of.people),
      ...choice('integration', t('list.by_integration'), 'integration', integrations),
    ]
  }, [words, collection, search, fields, of, integrations])
}

const named = (list: { id: number; name: string }[] | undefined): Choice[] =>
  (list ?? []).map(({ id, name }) => ({ value: String(id), label: name }))

/** The options of the filters, cached while the list is open. */
function useChoices(collection: Collection) {
  const word = wordOf(collection)
  const { data: account } = useQuery(accountOptions)
  const { data: colleagues } = useQuery(colleaguesOptions)
  const { data: pipelines } = useQuery({ ...pipelinesOptions, enabled: word === 'leads' })
  const { data: lossReasons } = useQuery({ ...lossReasonsOptions, enabled: word === 'leads' })
  const { data: stages } = useQuery({ ...customerStagesOptions, enabled: word === 'customers' })
  const { data: tags } = useQuery({ ...everyTagOptions(word as CardKind), enabled: word !== 'elements' })
  const { data: segments } = useQuery({ ...segmentsOptions, enabled: word === 'customers' })
  return useMemo(
    () => ({
      currency: account?.currency ?? 'EUR',
      // Records of somebody who has left are found by their name, too.
      people: named(colleagues?.toSorted((a, b) => Number(b.is_active) - Number(a.is_active))),
      pipelines: pipelines ?? [],
      lossReasons: named(lossReasons),
      customerStages: named(stages),
      tags: named(tags),
      segments: named(segments),
    }),
    [account, colleagues, pipelines, lossReasons, stages, tags, segments],
  )
}
