import { useTranslation } from 'react-i18next'
import { patchTask, removeTask, type Task, type TaskPatch } from '../data/tasks.ts'
import { write } from '../data/writes.ts'
import { useUndoToast } from '../parts/toasts/undo-toast.tsx'
import { useToast } from '../parts/toasts/use-toast.ts'

/** Changes tasks, with undo messages. The row may unmount before the response. */
export function useChangeTask() {
  const { t } = useTranslation()
  const toast = useToast()
  const undoToast = useUndoToast()

  const change = (task: Task, changes: TaskPatch, onDone?: () => void, onRefused?: () => void) =>
    write(patchTask, { task, patch: changes }).then(onDone, (error: unknown) => {
      toast.refused(error)
      onRefused?.()
    })
  const complete = (task: Task, typed: string, onRefused: () => void) => {
    const result = typed.trim() ? { text: typed.trim() } : null
    const done: Task = { ...task, is_completed: true, result: result ?? [] }
    const onDone = () =>
      undoToast(t('tasks.completed', { text: task.text }), () =>
        change(done, { is_completed: false, result: null }),
      )
    change(task, { is_completed: true, result }, onDone, onRefused)
  }
  const move = (task: Task, complete_till: number, deadline: string) =>
    change(task, { complete_till }, () =>
      undoToast(t('tasks.moved', { when: deadline }), () =>
        change({ ...task, complete_till }, { complete_till: task.complete_till }),
      ),
    )
  return {
    change,
    complete,
    move,
    remove: (task: Task) => write(removeTask, task).then(() => toast.done(t('tasks.deleted')), toast.refused),
  }
}
