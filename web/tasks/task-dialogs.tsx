import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { keepTask, type Task, taskOptions } from '../data/tasks.ts'
import { TaskDialog } from './task-dialog.tsx'

const OpenTask = createContext<(task: Task) => void>(() => {})

/** Returns the function that opens the dialog of a task. */
export const useOpenTask = () => useContext(OpenTask)

/**
 * Opens the tasks of the rows in it. The dialog does not belong to a row, because the row moves to another list when the
 * task falls due, and disappears when somebody completes the task.
 */
export function TaskDialogs({ children }: { children: ReactNode }) {
  const [task, setTask] = useState<Task>()
  const [isOpen, { open, close }] = useDisclosure()
  const openTask = useCallback(
    (chosen: Task) => {
      keepTask(chosen)
      setTask(chosen)
      open()
    },
    [open],
  )
  return (
    <OpenTask value={openTask}>
      {children}
      {task && <CurrentTask key={task.id} task={task} opened={isOpen} onClose={close} />}
    </OpenTask>
  )
}

interface CurrentTaskProps {
  /** The task as its row showed it. */
  task: Task
  opened: boolean
  onClose: () => void
}

/** The dialog follows the changes of others. A task that is deleted meanwhile stays as it was. */
function CurrentTask({ task, ...rest }: CurrentTaskProps) {
  const { data } = useQuery({ ...taskOptions(task.id), enabled: rest.opened })
  return <TaskDialog task={data ?? task} {...rest} />
}
