import type { Icon } from '@tabler/icons-react'
import {
  IconBuilding,
  IconCheckbox,
  IconHeartHandshake,
  IconLayoutKanban,
  IconList,
  IconSettings,
  IconUser,
} from '@tabler/icons-react'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { catalogsOptions } from '../data/catalogs.ts'
import { briefOptions } from '../data/record-briefs.ts'
import { type AnyRecord, type Collection, wordOf } from '../data/records.ts'
import { type FoundRecord, searchOptions, taskSearchOptions } from '../data/search.ts'
import { matches } from '../parts/forms/search-box.tsx'
import { useRecordHint } from '../parts/records/use-record-hint.ts'
import { useDeadlineText } from '../parts/texts/zoned.ts'
import { useIntegrationHits } from './integration-hits.ts'
import { useRecentCards } from './recent.ts'
import { useAllNavPages } from './use-nav-pages.ts'

/** A search result with its address. */
export interface Hit {
  key: string
  label: string
  hint?: string
  icon: Icon
  goes: Pick<LinkProps, 'to' | 'params' | 'search'>
}
export interface HitGroup {
  title: string
  hits: Hit[]
}

const icons = {
  leads: IconLayoutKanban,
  contacts: IconUser,
  companies: IconBuilding,
  customers: IconHeartHandshake,
  elements: IconList,
} satisfies Record<string, Icon>

interface Found {
  groups: HitGroup[]
  isSearching: boolean
  /** The results are those of the words before. */
  isEarlier: boolean
}

/** Returns matching results in groups; without words, recent cards and pages. */
export function useHits(words: string): Found {
  const { t } = useTranslation()
  const records = useRecordHits(words)
  const recent = useRecentHits(words === '')
  const tasks = useTaskHits(words)
  const integrations = useIntegrationHits(words)
  const pages = useRoomHits(words)
  const isRoom = words !== '' && pages.some(({ label }) => startsWith(label, words))
  const ofRooms = { title: t('search.pages'), hits: pages }
  const groups = [
    { title: t('search.recent'), hits: recent },
    ...(isRoom ? [ofRooms] : []),
    ...records.groups,
    { title: t('nav.tasks'), hits: tasks.hits },
    { title: t('integrations.title'), hits: integrations },
    ...(isRoom ? [] : [ofRooms]),
  ]
  return {
    groups: groups.filter(({ hits }) => hits.length > 0),
    isSearching: records.isSearching,
    isEarlier: records.isEarlier || tasks.isEarlier,
  }
}

const startsWith = (text: string, words: string) =>
  text.toLocaleLowerCase().startsWith(words.toLocaleLowerCase())

const keyOf = (collection: Collection, id: number) => `${collection}/${id}`

function useRecordHit(): (collection: Collection, record: AnyRecord) => Hit {
  const { t } = useTranslation()
  const hintOf = useRecordHint()
  return (collection, record) => ({
    key: keyOf(collection, record.id),
    label: record.name || t('search.unnamed', { id: record.id }),
    hint: hintOf(collection, record),
    icon: icons[wordOf(collection)],
    goes: cardOf(collection, record.id),
  })
}

function cardOf(collection: Collection, id: number): Hit['goes'] {
  const kind = wordOf(collection)
  if (kind !== 'elements') return { to: `/${kind}/$id`, params: { id: String(id) } }
  return { to: '/lists/$catalogId/$id', params: { catalogId: collection.split('/')[1], id: String(id) } }
}

/** Recently opened records come first. */
function useRecordHits(words: string): Found {
  const { t } = useTranslation()
  const hit = useRecordHit()
  const recent = useRecentCards().map(({ collection, id }) => keyOf(collection, id))
  const {
    data: found = [],
    isFetching,
    isPlaceholderData,
  } = useQuery({
    ...searchOptions(words),
    placeholderData: keepPreviousData,
  })
  if (words === '') return { groups: [], isSearching: false, isEarlier: false }
  const isRecent = ({ collection, record }: FoundRecord) => recent.includes(keyOf(collection, record.id))
  const group = (title: string, some: FoundRecord[]) => ({
    title,
    hits: some.map(({ collection, record }) => hit(collection, record)),
  })
  const kinds = [...new Set(found.map(({ kind }) => kind))]
  const others = found.filter((one) => !isRecent(one))
  return {
    groups: [
      group(t('search.recent'), found.filter(isRecent)),
      ...kinds.map((kind) =>
        group(
          t(`search.kinds.${kind}`),
          others.filter((one) => one.kind === kind),
        ),
      ),
    ],
    isSearching: isFetching,
    isEarlier: isPlaceholderData,
  }
}

function useRecentHits(isShown: boolean): Hit[] {
  const hit = useRecordHit()
  const cards = useRecentCards()
  const briefs = useQueries({
    queries: cards.map(({ collection, id }) => ({ ...briefOptions(collection, id), enabled: isShown })),
  })
  if (!isShown) return []
  return cards.flatMap(({ collection }, i) => {
    const record = briefs[i]?.data
    return record ? [hit(collection, record)] : []
  })
}

/** A task links to the task list filtered to it, where it can be completed or postponed. */
function useTaskHits(words: string): { hits: Hit[]; isEarlier: boolean } {
  const deadlineText = useDeadlineText()
  const { data: tasks = [], isPlaceholderData } = useQuery({
    ...taskSearchOptions(words),
    placeholderData: keepPreviousData,
  })
  if (words === '') return { hits: [], isEarlier: false }
  const hits = tasks.map(({ id, text, complete_till }) => ({
    key: `tasks/${id}`,
    label: text,
    hint: deadlineText(complete_till),
    icon: IconCheckbox,
    goes: {
      to: '/tasks',
      search: { view: 'all', 'filter[text]': text.slice(0, MOST_LETTERS) },
    } as Hit['goes'],
  }))
  return { hits, isEarlier: isPlaceholderData }
}

const MOST_LETTERS = 60

/** Finds pages, settings and the account's lists by name. */
function useRoomHits(words: string): Hit[] {
  const { t } = useTranslation()
  const pages = useAllNavPages().filter((page) => !page.pages)
  const { data: catalogs = [] } = useQuery(catalogsOptions)
  const named = pages.map(
    ({ title, to, icon }): Hit => ({
      key: String(to),
      label: t(title),
      hint: to?.startsWith('/settings') ? t('nav.settings') : undefined,
      icon: icon ?? IconSettings,
      goes: { to },
    }),
  )
  const lists = catalogs.map(
    ({ id, name }): Hit => ({
      key: `lists/${id}`,
      label: name,
      hint: t('nav.lists'),
      icon: IconList,
      goes: { to: '/lists/$catalogId', params: { catalogId: String(id) } },
    }),
  )
  if (words === '') return named.filter(({ hint }) => hint === undefined)
  return [...named, ...lists].filter(({ label, hint = '' }) => matches(words, label, hint)).slice(0, 8)
}
