import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { placeOf, type Stage } from '../../data/pipelines.ts'
import { totalsOptions } from '../../data/totals.ts'
import classes from './board.module.css'
import { useBoard } from './board-context.ts'
import { Column } from './column.tsx'
import { FoldedColumn } from './folded-column.tsx'
import { sumOf } from './moves.ts'
import { OneColumn } from './one-column.tsx'
import { useDragLeads } from './use-drag-leads.ts'
import { useFolded } from './use-folded.ts'

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
