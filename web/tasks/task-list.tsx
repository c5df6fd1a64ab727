import { Button, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Task } from '../data/tasks.ts'
import { useFormat } from '../parts/texts/format.ts'
import type { Section } from './sections.ts'
import classes from './task-list.module.css'
import { TaskRow } from './task-row.tsx'

interface TaskSectionProps {
  section: Section
  showPerson?: boolean
}

/** The tasks of one period, with a collapsible heading. */
export function TaskSection({ section, showPerson }: TaskSectionProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isFolded, setFolded] = useState(false)
  const id = useId()
  const { name, tasks, total, isComplete, query } = section
  if (total === 0) return null
  const left = total - tasks.length
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        <UnstyledButton
          className={classes.fold}
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        >
          <IconChevronDown size={14} aria-hidden />
          <span data-late={name === 'overdue' || undefined}>{t(`tasks.section.${name}`)}</span>
          <span className={classes.count}>{format.count(total, isComplete)}</span>
        </UnstyledButton>
      </h2>
      {!isFolded && <Rows tasks={tasks} showPerson={showPerson} isQuiet={name === 'overdue'} />}
      {!isFolded && query.hasNextPage && (
        <Button
          className={classes.more}
          variant="subtle"
          color="gray"
          size="xs"
          loading={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          {t('tasks.show_more', { count: left })}
        </Button>
      )}
    </section>
  )
}

interface RowsProps {
  tasks: Task[]
  showPerson?: boolean
  isQuiet?: boolean
}

export function Rows({ tasks, ...how }: RowsProps) {
  return (
    <ul className={classes.rows}>
      {tasks.map((task) => (
        <li key={task.id}>
          <TaskRow task={task} showRecord {...how} />
        </li>
      ))}
    </ul>
  )
}

/** Arrow keys move between tasks across headings; `x` completes the focused one. */
export function TaskKeys({ children }: { children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, [role="menu"]'))
      return
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-task]') ?? [])]
    const at = rows.findIndex((row) => row.contains(target))
    if (event.code === 'KeyX' && at >= 0) {
      event.preventDefault()
      rows[at]?.querySelector<HTMLElement>('[data-task-mark]')?.click()
      return
    }
    const next = moves[event.key]?.(at, rows.length)
    if (next === undefined || rows.length === 0) return
    event.preventDefault()
    rows[next]?.querySelector<HTMLElement>('[data-task-text]')?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys of the rows, which are controls themselves.
    <div ref={list} onKeyDown={onKeyDown}>
      {children}
    </div>
  )
}

const moves: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
}
