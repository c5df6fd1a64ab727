import { Menu, UnstyledButton } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled, IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { memo, type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Task } from '../data/tasks.ts'
import { RowMenu } from '../parts/dialogs/row-menu.tsx'
import { useFocusNear } from '../parts/dialogs/use-opener-focus.ts'
import { FoldingText } from '../parts/layout/folding-text.tsx'
import { PersonName } from '../parts/people/person-name.tsx'
import { useDeadlineText } from '../parts/texts/zoned.ts'
import { DueButton } from './due-button.tsx'
import { resultDrafts } from './result-drafts.ts'
import { ResultForm } from './result-form.tsx'
import { useOpenTask } from './task-dialogs.tsx'
import { TaskRecord } from './task-record.tsx'
import classes from './task-row.module.css'
import { useChangeTask } from './use-change-task.ts'
import { useTaskPermission } from './use-task-permission.ts'
import { useTaskTypes } from './use-task-types.ts'

interface TaskRowProps {
  task: Task
  /** Shows the linked record; for lists of several records. */
  showRecord?: boolean
  showPerson?: boolean
  /** Does not highlight an overdue task, because its heading already says so. */
  isQuiet?: boolean
}

/** A task in one line, which can be completed, postponed and edited in place. */
export const TaskRow = memo(function TaskRow({ task, showRecord, showPerson, isQuiet }: TaskRowProps) {
  const result = resultDrafts.use(task)
  const [isAsked, setAsked] = useState(false)
  const isEnding = isAsked || (result !== '' && !task.is_completed)
  const openTask = useOpenTask()
  const row = useRef<HTMLDivElement>(null)
  useFocusNear(row)
  const { change, complete, move } = useChangeTask()
  const canEdit = useTaskPermission()('edit', task)
  const deadlineText = useDeadlineText()
  const stop = () => {
    setAsked(false)
    resultDrafts.drop(task)
  }
  const end = () => {
    focusNext(row)
    stop()
    complete(task, result, () => resultDrafts.keep(task, result))
  }
  const stay = () => {
    stop()
    row.current?.querySelector<HTMLElement>('button')?.focus()
  }
  return (
    <div ref={row} className={classes.task} data-task={task.id} data-done={task.is_completed}>
      <div className={classes.row}>
        <Mark
          task={task}
          disabled={!canEdit}
          isEnding={isEnding}
          onEnd={isEnding ? stop : () => setAsked(true)}
          onReopen={() => change(task, { is_completed: false })}
        />
        <UnstyledButton
          data-task-text
          className={classes.text}
          title={task.text}
          onClick={() => openTask(task)}
        >
          {task.text}
        </UnstyledButton>
        <span className={classes.about}>
          <TypeName task={task} />
          {showRecord && (
            <span className={classes.record}>
              <TaskRecord task={task} />
            </span>
          )}
          {showPerson && (
            <span className={classes.person}>
              <PersonName id={task.responsible_user_id} />
            </span>
          )}
        </span>
        <TaskMenu task={task} onOpen={() => openTask(task)} />
        <span className={classes.due}>
          <DueButton
            value={task.complete_till}
            warns={!task.is_completed && !isQuiet}
            disabled={!canEdit || task.is_completed}
            onChange={(at) => move(task, at, deadlineText(at))}
          />
        </span>
      </div>
      {isEnding && (
        <ResultForm
          value={result}
          onChange={(text) => resultDrafts.keep(task, text)}
          isAsked={isAsked}
          onDone={end}
          onCancel={stay}
        />
      )}
      {'text' in task.result && <FoldingText className={classes.result}>{task.result.text}</FoldingText>}
    </div>
  )
})

interface MarkProps {
  task: Task
  disabled: boolean
  isEnding: boolean
  onEnd: () => void
  onReopen: () => void
}

/** The circle that completes or reopens a task. */
function Mark({ task, disabled, isEnding, onEnd, onReopen }: MarkProps) {
  const { t } = useTranslation()
  const { is_completed, text } = task
  return (
    <UnstyledButton
      data-task-mark
      className={classes.mark}
      disabled={disabled}
      aria-expanded={is_completed ? undefined : isEnding}
      aria-label={t(is_completed ? 'tasks.reopen' : 'tasks.complete', { text })}
      onClick={is_completed ? onReopen : onEnd}
    >
      {is_completed ? <IconCircleCheckFilled size={18} /> : <IconCircle size={18} stroke={1.7} />}
    </UnstyledButton>
  )
}

/** The default type is not shown. */
function TypeName({ task }: { task: Task }) {
  const types = useTaskTypes()
  const type = types.find(({ id }) => id === task.task_type_id)
  return <span className={classes.type}>{type !== types[0] && type?.name}</span>
}

function TaskMenu({ task, onOpen }: { task: Task; onOpen: () => void }) {
  const { t } = useTranslation()
  return (
    <RowMenu
      label={t('tasks.more', { text: task.text })}
      icon={<IconDots size={16} />}
      size={26}
      className={classes.more}
      position="bottom-end"
      width={180}
    >
      <Actions task={task} onOpen={onOpen} />
    </RowMenu>
  )
}

function Actions({ task, onOpen }: { task: Task; onOpen: () => void }) {
  const { t } = useTranslation()
  const { remove } = useChangeTask()
  const may = useTaskPermission()
  return (
    <>
      <Menu.Item leftSection={<IconPencil size={15} />} onClick={onOpen}>
        {t(may('edit', task) ? 'tasks.edit' : 'tasks.open')}
      </Menu.Item>
      {may('delete', task) && (
        <Menu.Item leftSection={<IconTrash size={15} />} onClick={() => remove(task)}>
          {t('tasks.delete')}
        </Menu.Item>
      )}
    </>
  )
}

/** The row will disappear, so the focus moves to the next one. */
function focusNext(row: RefObject<HTMLDivElement | null>) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-task]')]
  const at = rows.indexOf(row.current as HTMLElement)
  const next = rows[at + 1] ?? rows[at - 1]
  next?.querySelector<HTMLElement>('button')?.focus()
}
