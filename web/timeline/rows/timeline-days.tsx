import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Card, type TimelineItem, useNewNotes } from '../../data/timeline.ts'
import { useAnchor } from '../../parts/lists/use-anchor.ts'
import { useFormat } from '../../parts/texts/format.ts'
import { useNow } from '../../parts/texts/use-now.ts'
import { byDay, newestOfTasks } from './by-time.ts'
import { ChangesRow } from './changes-row.tsx'
import { ItemRow } from './item-row.tsx'
import { RowContext, TasksAt } from './row-context.ts'
import { TaskGroup } from './task-group.tsx'
import classes from './timeline.module.css'
import { WritingRow } from './writing-row.tsx'

interface TimelineDaysProps {
  card: Card
  items: TimelineItem[]
  canWrite: boolean
}

/** Timeline items by day, with unsaved items at the top. */
export function TimelineDays({ card, items, canWrite }: TimelineDaysProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const rows = useRef<HTMLDivElement>(null)
  useAnchor(rows)
  const now = useNow(60)
  const writing = useNewNotes(card, items)
  const days = useMemo(() => byDay(items), [items])
  const { collection, id } = card
  const tasksAt = useMemo(() => newestOfTasks(items), [items])
  const shared = useMemo(() => ({ card: { collection, id }, canWrite }), [collection, id, canWrite])
  return (
    <RowContext value={shared}>
      <div ref={rows}>
        {writing.length > 0 && (
          <ul className={classes.list}>
            {writing.map((written) => (
              <WritingRow key={written.key} written={written} />
            ))}
          </ul>
        )}
        <TasksAt value={tasksAt}>
          {days.map(({ at, groups }) => (
            <section key={new Date(at * 1000).toDateString()} aria-label={t('timeline.label')}>
              <h3 className={classes.day}>{format.day(at, now)}</h3>
              <ul className={classes.list}>
                {groups.map(({ items: group }) =>
                  group.length === 1 ? (
                    <ItemRow key={group[0].id} item={group[0]} />
                  ) : group[0].kind === 'task' ? (
                    <TaskGroup key={group.at(-1)?.id} items={group} />
                  ) : (
                    <ChangesRow key={group.at(-1)?.id} items={group} />
                  ),
                )}
              </ul>
            </section>
          ))}
        </TasksAt>
      </div>
    </RowContext>
  )
}
