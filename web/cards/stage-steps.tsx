import { Tooltip } from '@mantine/core'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './card-head.module.css'

interface Step {
  id: number
  name: string
  color: string
}

interface StageStepsProps {
  stages: Step[]
  current: number
  end?: 'won' | 'lost' | undefined
  /** Without it, the steps are read-only. */
  onMove?: ((id: number) => void) | undefined
}

/** The stages as steps. Steps up to the current stage have its color. */
export function StageSteps({ stages, current, end, onMove }: StageStepsProps) {
  const { t } = useTranslation()
  const at = stages.findIndex(({ id }) => id === current)
  const color = stages[at]?.color
  return (
    <ol
      className={classes.steps}
      data-end={end}
      aria-label={t('card.steps')}
      style={{ '--pb-stage': color } as CSSProperties}
    >
      {stages.map(({ id, name }, i) => (
        <li key={id} aria-current={i === at ? 'step' : undefined}>
          <Tooltip label={name} openDelay={150}>
            {onMove ? (
              <button
                type="button"
                className={classes.step}
                data-passed={i <= at || undefined}
                aria-label={t('card.move_to', { stage: name })}
                onClick={() => onMove(id)}
              />
            ) : (
              <span
                className={classes.step}
                data-passed={i <= at || undefined}
                role="img"
                aria-label={name}
              />
            )}
          </Tooltip>
        </li>
      ))}
    </ol>
  )
}
