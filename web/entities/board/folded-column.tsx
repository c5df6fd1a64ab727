import { VisuallyHidden } from '@mantine/core'
import { type CSSProperties, type RefObject, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isAt, placeOf, type Stage } from '../../data/pipelines.ts'
import { useFormat } from '../../parts/format.ts'
import { StageLabel } from '../../parts/stage-label.tsx'
import { useBoard } from './board-context.ts'
import classes from './column.module.css'
import type { Sum } from './moves.ts'
import { useDropStage } from './use-drop-stage.ts'
import { useKeptFocus } from './use-kept-focus.ts'

/** A collapsed stage with its name and count. Leads can be dropped on it. */
export function FoldedColumn({
  stage,
  sum,
  left,
  onOpen,
}: {
  stage: Stage
  sum: Sum | undefined
  /** The stage whose element has gone with the focus. */
  left: RefObject<number | null>
  onOpen: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const ref = useRef<HTMLButtonElement>(null)
  const isOver = useDropStage(ref, stage)
  useKeptFocus(ref, stage, left)
  const count = sum?.total ?? 0
  const { focused, moves, onFocused } = useBoard()
  const comes = focused !== undefined && isAt(moves.get(focused)?.to ?? {}, placeOf(stage))
  // A lead moved here by keyboard is not visible, so this column gets the focus.
  useLayoutEffect(() => {
    if (!comes) return
    ref.current?.focus()
    onFocused()
  }, [comes, onFocused])
  return (
    <button
      ref={ref}
      type="button"
      className={classes.folded}
      style={{ '--pb-stage': stage.color } as CSSProperties}
      data-column={stage.id}
      data-over={isOver || undefined}
      title={stage.name}
      onClick={onOpen}
    >
      <span className={classes.foldedName}>
        <StageLabel name={stage.name} color={stage.color} />
      </span>{' '}
      <span className={classes.foldedCount}>{sum && format.number(count)}</span>{' '}
      <VisuallyHidden>{t('board.unfold', { count })}</VisuallyHidden>
    </button>
  )
}
