import { Button } from '@mantine/core'
import { IconCheckbox, IconFilterOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { LoadingRows } from '../parts/layout/loaded.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import type { Section } from './sections.ts'
import { TaskKeys, TaskSection } from './task-list.tsx'
import classes from './tasks-page.module.css'

interface OpenTasksProps {
  sections: Section[]
  showPerson: boolean
  onAdd: () => void
  /** Set if the list is filtered. */
  onClear: (() => void) | undefined
}

export function OpenTasks({ sections, showPerson, onAdd, onClear }: OpenTasksProps) {
  const refused = sections.find(({ query }) => query.error && !query.data)?.query
  if (refused)
    return (
      <div className={classes.none}>
        <ProblemCallout error={refused.error} onRetry={() => sections.map(({ query }) => query.refetch())} />
      </div>
    )
  if (sections.some(({ query }) => query.isPending))
    return (
      <div className={classes.waiting}>
        <LoadingRows count={6} />
      </div>
    )
  if (sections.every(({ total }) => total === 0)) return <NoTasks onAdd={onAdd} onClear={onClear} />
  return (
    <TaskKeys>
      {sections.map((section) => (
        <TaskSection key={section.name} section={section} showPerson={showPerson} />
      ))}
    </TaskKeys>
  )
}

export function NoTasks({ onAdd, onClear }: Partial<Pick<OpenTasksProps, 'onAdd' | 'onClear'>>) {
  const { t } = useTranslation()
  return (
    <div className={classes.none}>
      {onClear ? (
        <EmptyState
          icon={IconFilterOff}
          title={t('tasks.none_fit')}
          action={
            <Button variant="default" onClick={onClear}>
              {t('filters.clear')}
            </Button>
          }
        >
          {t('tasks.none_fit_text')}
        </EmptyState>
      ) : (
        <EmptyState
          icon={IconCheckbox}
          title={t('tasks.none')}
          action={
            <Button variant="default" onClick={onAdd}>
              {t('tasks.new')}
            </Button>
          }
        >
          {t('tasks.none_text')}
        </EmptyState>
      )}
    </div>
  )
}
