import type { TimelineItem } from '../data/timeline.ts'
import { TaskRow } from '../tasks/task-row.tsx'
import { useShared } from './row-context.ts'
import classes from './timeline.module.css'

/** A task as it is now, to be completed in its place: on the newest row that tells of it; on the others its text. */
export function TaskBody({ item: { id, task, event } }: { item: TimelineItem }) {
  const { tasksAt } = useShared()
  if (!task) return null
  if (tasksAt.has(id))
    return (
      <div className={classes.task}>
        <TaskRow task={task} showPerson />
      </div>
    )
  // What was changed of it is said by the line.
  return event.value_after.length > 0 ? null : <p className={classes.details}>{task.text}</p>
}
