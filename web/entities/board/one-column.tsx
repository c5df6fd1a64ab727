import { ActionIcon, Select } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { INCOMING, type Stage } from '../../data/pipelines.ts'
import { useFormat } from '../../parts/texts/format.ts'
import classes from './board.module.css'
import { Column } from './column.tsx'
import type { Sum } from './moves.ts'

interface OneColumnProps {
  stages: Stage[]
  sumOf: (stage: Stage) => Sum | undefined
  board: RefObject<HTMLElement | null>
}

/** The board on phones: one stage per screen, with a switch. */
export function OneColumn({ stages, sumOf, board }: OneColumnProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [chosen, choose] = useState(() => stages.find(({ type }) => type !== INCOMING)?.id)
  const at = Math.max(
    0,
    stages.findIndex(({ id }) => id === chosen),
  )
  const stage = stages[at] as Stage
  const step = (by: number) => choose(stages[at + by]?.id)
  return (
    <div className={classes.one}>
      <div className={classes.switch}>
        <ActionIcon
          variant="default"
          size={32}
          disabled={at === 0}
          onClick={() => step(-1)}
          aria-label={t('board.stage_before')}
          title={t('board.stage_before')}
        >
          <IconChevronLeft size={16} />
        </ActionIcon>
        <Select
          aria-label={t('board.stage')}
          value={String(stage.id)}
          onChange={(id) => choose(Number(id))}
          data={stages.map((one) => {
            const sum = sumOf(one)
            const count = sum && format.count(sum.total, sum.isComplete)
            return { value: String(one.id), label: count ? `${one.name} · ${count}` : one.name }
          })}
        />
        <ActionIcon
          variant="default"
          size={32}
          disabled={at === stages.length - 1}
          onClick={() => step(1)}
          aria-label={t('board.stage_after')}
          title={t('board.stage_after')}
        >
          <IconChevronRight size={16} />
        </ActionIcon>
      </div>
      <Column key={stage.id} stage={stage} sum={sumOf(stage)} board={board} />
    </div>
  )
}
