import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { rowsOf } from '../data/row-lists.ts'
import { tasksOfRecord } from '../data/tasks.ts'
import { useFocusBack } from '../parts/dialogs/use-focus-back.ts'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { LoadMore } from '../parts/lists/load-more.tsx'
import { TaskForm } from '../tasks/task-form.tsx'
import { TaskRow } from '../tasks/task-row.tsx'
import { useCard } from './card-context.tsx'
import classes from './fields-panel.module.css'
import { PartHead } from './linked-records.tsx'

/** The open tasks of the record. */
export function RecordTasks() {
  const { t } = useTranslation()
  const { collection, id } = useCard()
  const query = useInfiniteQuery(tasksOfRecord(collection, id))
  const [isAdding, setAdding] = useState(false)
  const part = useRef<HTMLElement>(null)
  useFocusBack(part, isAdding, `.${classes.add}`)
  const tasks = rowsOf(query.data)
  return (
    <section ref={part} className={classes.part} aria-label={t('nav.tasks')}>
      <PartHead
        title={t('nav.tasks')}
        count={tasks.length}
        addLabel={t('card.add_task')}
        onAdd={() => setAdding(true)}
      />
      {isAdding && <TaskForm isAsked collection={collection} id={id} onDone={() => setAdding(false)} />}
      <ProblemCallout error={query.error} onRetry={() => query.refetch()} />
      <div className={classes.tasks}>
        {tasks.map((task) => (
          <TaskRow key={task.id} task={task} />
        ))}
      </div>
      <LoadMore query={query} />
    </section>
  )
}
