import { rowsOf } from '../data/row-lists.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { LoadMore } from '../parts/lists/load-more.tsx'
import { NoTasks } from './open-tasks.tsx'
import { useTaskList } from './sections.ts'
import { Rows, TaskKeys } from './task-list.tsx'

interface DoneTasksProps {
  search: Record<string, string>
  showPerson: boolean
  onClear: () => void
}

/** Completed tasks, the latest deadline first. */
export function DoneTasks({ search, showPerson, onClear }: DoneTasksProps) {
  const query = useTaskList({ ...search, 'order[complete_till]': 'desc' })
  const tasks = rowsOf(query.data)
  return (
    <Loaded query={query} rows={6}>
      {() =>
        tasks.length === 0 ? (
          <NoTasks onClear={onClear} />
        ) : (
          <TaskKeys>
            <Rows tasks={tasks} showPerson={showPerson} />
            <LoadMore query={query} />
          </TaskKeys>
        )
      }
    </Loaded>
  )
}
