import { useContext } from 'react'
import type { TimelineItem } from '../../data/timeline.ts'
import { TaskRow } from '../../tasks/task-row.tsx'
import { TasksAt } from './row-context.ts'
import classes from './timeline.module.css'

/** The current task on its newest row; its text on the others. */
export function TaskBody({ item: { id, task, event } }: { item: TimelineItem }) {
  const tasksAt = useContext(TasksAt)
  if (!task) return null
  if (tasksAt.has(id))
    return (
      <div className={classes.task}>
        <TaskRow task={task} showPerson />
      </div>
    )
  // The line already shows the change.
  return event.value_after.length > 0 ? null : <p className={classes.details}>{task.text}</p>
}
