import { VisuallyHidden } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, type RefObject, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { INCOMING, isAt, LOST, placeOf, type Stage, WON } from '../../data/pipelines.ts'
import { totalsOptions } from '../../data/totals.ts'
import { StageLabel } from '../../parts/records/stage-label.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import classes from './board.module.css'
import { useBoard } from './board-context.ts'
import column from './column.module.css'
import { Column } from './column.tsx'
import { useDragLeads, useDropStage } from './drag-and-drop.ts'
import { type Sum, sumOf } from './moves.ts'
import { OneColumn } from './one-column.tsx'
import { useKeptFocus } from './use-kept-focus.ts'

/** The stages side by side; narrow screens show one at a time. */
export function Columns({ stages }: { stages: Stage[] }) {
  const { t } = useTranslation()
  const { isFolded, fold } = useFolded()
  const { narrowed, pipeline, moves, onMove } = useBoard()
  const board = useRef<HTMLElement>(null)
  const left = useRef<number>(null)
  const isNarrow = useMediaQuery('(max-width: 720px)', false, { getInitialValueInEffect: false })
  const { data: totals } = useQuery(
    totalsOptions('leads', { ...narrowed, 'filter[pipeline_id]': String(pipeline.id) }),
  )
  useDragLeads(board, onMove)
  // The column of another pipeline that is shown later does not take the focus.
  useLayoutEffect(() => {
    left.current = null
  })
  const sum = (stage: Stage) => sumOf(totals, placeOf(stage), moves)
  return (
    <section ref={board} className={classes.board} aria-label={t('board.label', { pipeline: pipeline.name })}>
      {isNarrow ? (
        <OneColumn stages={stages} sumOf={sum} board={board} />
      ) : (
        stages.map((stage) =>
          isFolded(stage, sum(stage)?.total) ? (
            <FoldedColumn
              key={stage.id}
              stage={stage}
              sum={sum(stage)}
              left={left}
              onOpen={() => fold(stage, false)}
            />
          ) : (
            <Column
              key={stage.id}
              stage={stage}
              sum={sum(stage)}
              board={board}
              left={left}
              onFold={() => fold(stage, true)}
            />
          ),
        )
      )}
    </section>
  )
}

type Folded = Record<string, boolean>

const keyOf = ({ pipeline_id, id }: Stage) => `${pipeline_id}:${id}`

/**
 * Keeps in this browser which columns are collapsed. By default: closed stages, and the incoming stage while it is
 * empty.
 */
function useFolded() {
  const [folded, setFolded] = useLocalStorage<Folded>({
    key: 'patchbay-board-folded',
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  return {
    isFolded: (stage: Stage, total: number | undefined) =>
      folded[keyOf(stage)] ?? (stage.id === WON || stage.id === LOST || (stage.type === INCOMING && !total)),
    fold: (stage: Stage, isFolded: boolean) =>
      setFolded((before) => ({ ...before, [keyOf(stage)]: isFolded })),
  }
}

interface FoldedColumnProps {
  stage: Stage
  sum: Sum | undefined
  /** The stage whose element has gone with the focus. */
  left: RefObject<number | null>
  onOpen: () => void
}

/** A collapsed stage with its name and count. Leads can be dropped on it. */
function FoldedColumn({ stage, sum, left, onOpen }: FoldedColumnProps) {
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
      className={column.folded}
      style={{ '--pb-stage': stage.color } as CSSProperties}
      data-column={stage.id}
      data-over={isOver || undefined}
      title={stage.name}
      onClick={onOpen}
    >
      <span className={column.foldedName}>
        <StageLabel name={stage.name} color={stage.color} />
      </span>{' '}
      <span className={column.foldedCount}>{sum && format.number(count)}</span>{' '}
      <VisuallyHidden>{t('board.unfold', { count })}</VisuallyHidden>
    </button>
  )
}
