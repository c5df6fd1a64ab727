import { useTranslation } from 'react-i18next'
import type { Task } from '../data/tasks.ts'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { TaskForm } from './task-form.tsx'

interface TaskDialogProps {
  /** The task to edit; undefined for a new one. */
  task?: Task
  opened: boolean
  onClose: () => void
}

export function TaskDialog({ task, opened, onClose }: TaskDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} size={560} title={t(task ? 'tasks.one' : 'tasks.new')}>
      <TaskForm task={task} hasRecordInput onDone={onClose} />
    </Dialog>
  )
}
