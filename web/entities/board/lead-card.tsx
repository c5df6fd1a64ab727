import { IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { amountOf } from '../../../src/entities/records/amount-types.ts'
import type { AnyRecord } from '../../data/records.ts'
import { useFocusNear } from '../../parts/dialogs/use-opener-focus.ts'
import { FewTags } from '../../parts/records/few-tags.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import classes from './card.module.css'
import { isNear, NextTask, Owner, Who } from './card-details.tsx'
import { useDraggable } from './drag-and-drop.ts'
import { useLeadName } from './use-lead-name.ts'

/** Pixels from one card to the next, for two and three lines. */
const TWO_LINES = 66
const THREE_LINES = 88

const hasThirdLine = (lead: AnyRecord, tomorrow: number) =>
  isNear(lead.closest_task_at, tomorrow) || (lead._embedded?.tags?.length ?? 0) > 0

export const heightOf = (lead: AnyRecord, tomorrow: number) =>
  hasThirdLine(lead, tomorrow) ? THREE_LINES : TWO_LINES

interface LeadCardProps {
  lead: AnyRecord
  /** The name of the responsible person. */
  owner: string | undefined
  currency: string
  now: number
  /** When tomorrow begins. */
  tomorrow: number
  /** Only leads that the person can change are draggable. */
  canMove: boolean
  isMenuOpen: boolean
  onMenu: (lead: AnyRecord, button: HTMLElement) => void
}

/** A lead on the board, which links to its card. */
export const LeadCard = memo(function LeadCard(props: LeadCardProps) {
  const { lead, owner, currency, now, tomorrow, canMove, isMenuOpen, onMenu } = props
  const { t } = useTranslation()
  const format = useFormat()
  const name = useLeadName()(lead)
  const { ref, isDragged } = useDraggable(lead, canMove)
  const price = amountOf(lead, 'price')
  useFocusNear(ref)
  return (
    <article ref={ref} className={classes.card} data-lead={lead.id} data-dragged={isDragged || undefined}>
      <div className={classes.line}>
        <Link
          to="/leads/$id"
          params={{ id: String(lead.id) }}
          className={classes.name}
          title={name}
          // Drags the card instead of its link.
          draggable={false}
          aria-keyshortcuts={canMove ? 'Shift+ArrowLeft Shift+ArrowRight' : undefined}
        >
          {name}
        </Link>
        {price > 0 && <span className={classes.price}>{format.money(price, currency)}</span>}
      </div>
      <div className={classes.line}>
        <Who lead={lead} />
        {owner !== undefined && <Owner name={owner} />}
      </div>
      {hasThirdLine(lead, tomorrow) && (
        <div className={classes.line}>
          {isNear(lead.closest_task_at, tomorrow) && <NextTask at={lead.closest_task_at} now={now} />}
          <FewTags of={lead._embedded?.tags} />
        </div>
      )}
      {canMove && (
        <button
          type="button"
          className={classes.menu}
          aria-haspopup="menu"
          aria-expanded={isMenuOpen}
          aria-label={t('board.move_of', { name })}
          onClick={(event) => onMenu(lead, event.currentTarget)}
        >
          <IconDots size={15} aria-hidden />
        </button>
      )}
    </article>
  )
})
