import { ActionIcon } from '@mantine/core'
import { IconChevronsLeft, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { columnOptions } from '../../data/columns.ts'
import { INCOMING, placeOf, type Stage } from '../../data/pipelines.ts'
import { rowsOf } from '../../data/row-lists.ts'
import { useFocusBack } from '../../parts/dialogs/use-focus-back.ts'
import { ProblemCallout } from '../../parts/layout/problem-callout.tsx'
import { StageLabel } from '../../parts/records/stage-label.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { useBoard } from './board-context.ts'
import { onCardKey } from './card-keys.ts'
import { Cards } from './cards.tsx'
import classes from './column.module.css'
import { useDropStage } from './drag-and-drop.ts'
import { IncomingCards } from './incoming-cards.tsx'
import { type Sum, withMoves } from './moves.ts'
import { QuickAdd } from './quick-add.tsx'
import { useKeptFocus } from './use-kept-focus.ts'

interface ColumnProps {
  stage: Stage
  sum: Sum | undefined
  board: RefObject<HTMLElement | null>
  /** The stage whose element has gone with the focus. Not set where a column fills the screen. */
  left?: RefObject<number | null>
  /** Not set where a column fills the screen. */
  onFold?: () => void
}

/** A stage with its leads, last changed first. They load when the column becomes visible. */
export function Column({ stage, sum, board, left, onFold }: ColumnProps) {
  const { narrowed, moves, canEdit, onShift } = useBoard()
  const heading = useId()
  const ref = useRef<HTMLElement>(null)
  const place = useMemo(() => placeOf(stage), [stage])
  const isSeen = useVisible(ref, board)
  const isOver = useDropStage(ref, stage)
  useKeptFocus(ref, stage, left)
  const [isAdding, setAdding] = useState(false)
  useFocusBack(ref, isAdding, '[data-add]')
  // A board with filters shows the leads of every stage alike.
  const isIncoming = stage.type === INCOMING && Object.keys(narrowed).length === 0
  const query = useInfiniteQuery({ ...columnOptions(narrowed, place), enabled: isSeen && !isIncoming })
  const records = useMemo(() => query.data && rowsOf(query.data), [query.data])
  const leads = useMemo(() => withMoves(records, place, moves), [records, place, moves])
  const shift = (id: number, by: number) => {
    const lead = leads.find((one) => one.id === id)
    if (lead && canEdit(lead)) onShift(lead, by)
  }
  return (
    <section
      ref={ref}
      className={classes.column}
      aria-labelledby={heading}
      data-column={stage.id}
      data-over={isOver || undefined}
      onKeyDown={(event) => onCardKey(event, shift)}
    >
      <Head stage={stage} sum={sum} heading={heading} onAdd={() => setAdding(true)} onFold={onFold} />
      {isAdding && <QuickAdd stage={stage} onClose={() => setAdding(false)} />}
      {isIncoming ? (
        <IncomingCards stage={stage} enabled={isSeen} />
      ) : query.error && query.data === undefined ? (
        <div className={classes.refused}>
          <ProblemCallout error={query.error} onRetry={() => query.refetch()} />
        </div>
      ) : (
        <Cards stage={stage} leads={leads} query={query} />
      )}
    </section>
  )
}

interface HeadProps extends Pick<ColumnProps, 'stage' | 'sum' | 'onFold'> {
  heading: string
  onAdd: () => void
}

function Head({ stage, sum, heading, onAdd, onFold }: HeadProps) {
  const { t } = useTranslation()
  const { canAdd } = useBoard()
  return (
    <header className={classes.head} style={{ '--pb-stage': stage.color } as CSSProperties}>
      <h2 id={heading} className={classes.title} title={stage.name}>
        <StageLabel name={stage.name} color={stage.color} />
      </h2>
      <Sums sum={sum} />
      <div className={classes.buttons}>
        {onFold && (
          <HeadButton label={t('board.fold', { stage: stage.name })} onClick={onFold}>
            <IconChevronsLeft size={15} />
          </HeadButton>
        )}
        {canAdd && stage.type !== INCOMING && (
          <HeadButton data-add label={t('board.add_to', { stage: stage.name })} onClick={onAdd}>
            <IconPlus size={15} />
          </HeadButton>
        )}
      </div>
    </header>
  )
}

interface HeadButtonProps {
  label: string
  onClick: () => void
  children: ReactNode
  'data-add'?: boolean
}

function HeadButton({ label, ...rest }: HeadButtonProps) {
  return <ActionIcon variant="subtle" color="gray" size={24} aria-label={label} title={label} {...rest} />
}

/** The number of leads and their total. */
function Sums({ sum }: { sum: Sum | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { currency } = useBoard()
  return (
    <p className={classes.sums}>
      {sum && (
        <>
          <span>
            {t('board.leads', { count: sum.total, shown: format.count(sum.total, sum.isComplete) })}
          </span>
          {sum.sum !== 0 && sum.isComplete && (
            <span className={classes.worth}>{format.money(sum.sum, currency)}</span>
          )}
        </>
      )}
    </p>
  )
}

/** Returns whether an element has ever been near the visible area of its scroll container. */
function useVisible(ref: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (isSeen || !ref.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { root: scroller.current, rootMargin: '0px 400px' },
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [isSeen, ref, scroller])
  return isSeen
}
