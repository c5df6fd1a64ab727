import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Search, SearchChange } from '../parts/filters/filter.ts'
import { FilterBar } from '../parts/filters/filter-bar.tsx'
import { QueryBox } from '../parts/filters/query-box.tsx'
import { FullPage } from '../parts/layout/full-page.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { SpokenCount } from '../parts/texts/spoken-count.tsx'
import { useSignedIn } from '../shell/use-session.ts'
import { DoneTasks } from './done-tasks.tsx'
import { OpenTasks } from './open-tasks.tsx'
import { useSections } from './sections.ts'
import { TaskDialog } from './task-dialog.tsx'
import { TaskDialogs } from './task-dialogs.tsx'
import { useTaskFilters } from './task-filters.tsx'
import classes from './tasks-page.module.css'

const route = getRouteApi('/shell/tasks')
const TEXT = 'filter[text]'

/** The tasks: one's own by default, or everyone's. */
export function TasksPage() {
  const { t } = useTranslation()
  const format = useFormat()
  const [isAdding, setAdding] = useState(false)
  const { search, isOfAll, asked, set } = useAsked()
  const filters = useTaskFilters(search, isOfAll)
  const isDone = search['filter[is_completed]'] === '1'
  const sections = useSections(asked)
  const isKnown = !isDone && sections.every(({ query }) => query.data)
  const total = isKnown ? sections.reduce((sum, section) => sum + section.total, 0) : undefined
  const isComplete = sections.every((section) => section.isComplete)
  const add = () => setAdding(true)
  const isNarrowed = Object.keys(search).some((name) => name.startsWith('filter['))
  const clear = () => set(Object.fromEntries(Object.keys(search).map((name) => [name, undefined])))
  return (
    <FullPage
      title={t('tasks.title')}
      count={total === undefined ? undefined : format.count(total, isComplete)}
      views={<Whose isOfAll={isOfAll} onChange={set} search={search} />}
      actions={
        <>
          <div className={classes.search}>
            <QueryBox
              label={t('tasks.search')}
              query={search[TEXT]}
              onAsk={(text) => set({ [TEXT]: text })}
            />
          </div>
          <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={add}>
            {t('tasks.new')}
          </Button>
        </>
      }
    >
      <div className={classes.bar}>
        <FilterBar filters={filters} search={search} onChange={set} />
      </div>
      <SpokenCount of={JSON.stringify(asked)} count={total} isComplete={isComplete} />
      <div className={classes.scroll}>
        <TaskDialogs>
          {isDone ? (
            <DoneTasks search={asked} showPerson={isOfAll} onClear={clear} />
          ) : (
            <OpenTasks
              sections={sections}
              showPerson={isOfAll}
              onAdd={add}
              onClear={isNarrowed ? clear : undefined}
            />
          )}
        </TaskDialogs>
      </div>
      <TaskDialog opened={isAdding} onClose={() => setAdding(false)} />
    </FullPage>
  )
}

interface WhoseProps {
  isOfAll: boolean
  search: Search
  onChange: (members: SearchChange) => void
}

function Whose({ isOfAll, search, onChange }: WhoseProps) {
  const { t } = useTranslation()
  const choose = (whose: string) =>
    onChange(whose === 'all' ? { view: 'all' } : { view: undefined, ...nobodyIn(search) })
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('tasks.whose')}
      value={isOfAll ? 'all' : 'mine'}
      onChange={choose}
      data={[
        { value: 'mine', label: t('tasks.mine') },
        { value: 'all', label: t('tasks.all') },
      ]}
    />
  )
}

const nobodyIn = (search: Search): SearchChange =>
  Object.fromEntries(
    Object.keys(search)
      .filter((name) => name.startsWith('filter[responsible_user_id]'))
      .map((name) => [name, undefined]),
  )

/** Returns the search parameters, the API query for them, and a function that changes them. */
function useAsked() {
  const { view, ...search } = route.useSearch()
  const navigate = route.useNavigate()
  const { user } = useSignedIn()
  const isOfAll = view === 'all'
  const asked: Record<string, string> = isOfAll
    ? search
    : { ...search, 'filter[responsible_user_id]': String(user.id) }
  const set = (members: SearchChange) =>
    navigate({
      to: '.',
      replace: true,
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...members }).filter(([, value]) => value !== undefined),
        ) as Record<string, string>,
    })
  return { search, isOfAll, asked, set }
}
