import { IconCheckbox } from '@tabler/icons-react'
import { memo } from 'react'
import type { TimelineItem } from '../../data/timeline.ts'
import { ChangeLine } from '../../events/change-line.tsx'
import { Sentence } from '../../events/event-line.tsx'
import { useActionText } from '../../events/event-text.ts'
import { type Group, isSameActor, isSameGroup } from './by-time.ts'
import { Time } from './row.tsx'
import { TaskBody } from './task-body.tsx'
import classes from './timeline.module.css'

/** The events of one task on one day: the task and its earlier events. */
export const TaskGroup = memo(function TaskGroup({ items }: Group) {
  const shown = items.find(({ event }) => event.type !== 'task_result_added') ?? items[0]
  const others = items.filter((item) => item !== shown).toReversed()
  return (
    <li className={classes.row} data-kind="task">
      <span className={classes.mark} aria-hidden>
        <IconCheckbox size={16} stroke={1.7} />
      </span>
      <div className={classes.line}>
        <span className={classes.sentence}>
          <Sentence event={shown.event} /> <ChangeLine event={shown.event} />
        </span>
        <Time event={shown.event} />
      </div>
      <TaskBody item={items[0]} />
      <ul className={classes.earlier}>
        {others.map((item) => (
          <Earlier key={item.id} item={item} isSamePerson={isSameActor(item, shown)} />
        ))}
      </ul>
    </li>
  )
}, isSameGroup)

/** The actor is only shown if it is another person. The task shows the result. */
function Earlier({ item: { event }, isSamePerson }: { item: TimelineItem; isSamePerson: boolean }) {
  const did = useActionText(event)
  return (
    <li>
      {isSamePerson ? did : <Sentence event={event} />}{' '}
      {event.type !== 'task_result_added' && <ChangeLine event={event} />} <Time event={event} />
    </li>
  )
}
