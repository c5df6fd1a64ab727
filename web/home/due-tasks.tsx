import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LoadingRows } from '../parts/layout/loaded.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { useFormat } from '../parts/texts/format.ts'
import type { Section } from '../tasks/sections.ts'
import { TaskDialog } from '../tasks/task-dialog.tsx'
import { Rows, TaskKeys } from '../tasks/task-list.tsx'
import classes from './due-tasks.module.css'
import { EmptyLine, HomeSection } from './home-section.tsx'

/** The number of tasks on the home page; the tasks page shows all. */
const FEW = { today: 8, overdue: 5 }

/** Overdue tasks and tasks due today, which can be completed here. */
export function DueTasks({ sections: [overdue, today] }: { sections: [Section, Section] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isAdding, adding] = useDisclosure()
  const queries = [overdue.query, today.query]
  const refused = queries.find(({ error, data }) => error && !data)
  const isPending = queries.some((query) => query.isPending)
  const shown = {
    today: today.tasks.slice(0, FEW.today),
    overdue: overdue.tasks.slice(0, FEW.overdue),
  }
  const left = overdue.total + today.total - shown.today.length - shown.overdue.length
  return (
    <HomeSection
      title={t('home.due')}
      count={today.total > 0 ? format.count(today.total, today.isComplete) : undefined}
      all={{ to: '/tasks', label: t('home.all_tasks') }}
    >
      {refused && <ProblemCallout error={refused.error} onRetry={() => refused.refetch()} />}
      {!refused && isPending && <LoadingRows count={3} />}
      {!refused && !isPending && (
        <TaskKeys>
          {today.total === 0 ? <EmptyLine>{t('home.nothing_due')}</EmptyLine> : <Rows tasks={shown.today} />}
          {overdue.total > 0 && (
            <>
              <h3 className={classes.late}>
                {t('tasks.section.overdue')} <span>{format.count(overdue.total, overdue.isComplete)}</span>
              </h3>
              <Rows tasks={shown.overdue} isQuiet />
            </>
          )}
        </TaskKeys>
      )}
      <div className={classes.foot}>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={adding.open}
        >
          {t('tasks.new')}
        </Button>
        {left > 0 && (
          <Link to="/tasks" className={classes.left}>
            {t('home.more_tasks', { count: left })}
          </Link>
        )}
      </div>
      <TaskDialog opened={isAdding} onClose={adding.close} />
    </HomeSection>
  )
}
