import { IconPencil } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogEvent } from '../../data/events.ts'
import { ChangeLine } from '../../events/change-line.tsx'
import { ActorAndAction } from '../../events/event-line.tsx'
import { useActionText } from '../../events/event-text.ts'
import { type Group, isSameGroup } from './by-time.ts'
import { MergedRecord } from './merged-record.tsx'
import { Time } from './row.tsx'
import classes from './timeline.module.css'

/** An import may change every field of a card at once, so only a few are shown at first. */
const FEW = 6

/** Several changes that a person made at once, in order, below their name. */
export const ChangesRow = memo(function ChangesRow({ items }: Group) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const inOrder = items.toReversed()
  // Collapsing a single line would save no space.
  const isWhole = isOpen || items.length <= FEW + 1
  return (
    <li className={classes.row} data-kind="change">
      <span className={classes.mark} aria-hidden>
        <IconPencil size={16} stroke={1.7} />
      </span>
      <div className={classes.line}>
        <span className={classes.sentence}>
          <ActorAndAction event={items[0].event} did={t('timeline.changed', { count: items.length })} />
        </span>
        <Time event={items[0].event} />
      </div>
      <ul className={classes.several}>
        {inOrder.slice(0, isWhole ? undefined : FEW).map(({ id, event }) => (
          <Change key={id} event={event} />
        ))}
      </ul>
      {!isWhole && (
        <button type="button" className={classes.rest} onClick={() => setOpen(true)}>
          {t('timeline.more_changes', { count: items.length - FEW })}
        </button>
      )}
    </li>
  )
}, isSameGroup)

function Change({ event }: { event: LogEvent }) {
  const did = useActionText(event)
  return (
    <li className={classes.change}>
      <span className={classes.sentence}>
        <span className={classes.did}>{did}</span> <ChangeLine event={event} />
        <MergedRecord event={event} />
      </span>
      <Time event={event} />
    </li>
  )
}
