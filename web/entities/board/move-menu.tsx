import { Menu, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { INCOMING, placeOf, type Stage, type StagePlace } from '../../data/pipelines.ts'
import type { AnyRecord } from '../../data/records.ts'
import { useOpenerFocus } from '../../parts/dialogs/use-opener-focus.ts'
import { StageLabel } from '../../parts/records/stage-label.tsx'
import classes from './board.module.css'
import { useLeadName } from './use-lead-name.ts'

export interface OpenMenu {
  lead: AnyRecord
  /** The button that opened the menu; it gets the focus back. */
  button: HTMLElement
}

interface MoveMenuProps extends OpenMenu {
  /** The current stage of the lead. */
  at: StagePlace
  stages: Stage[]
  onMove: (to: StagePlace) => void
  onClose: () => void
}

/** Moves a lead by keyboard or touch instead of dragging. The board has one such menu. */
export function MoveMenu({ lead, at, button, stages, onMove, onClose }: MoveMenuProps) {
  const { t } = useTranslation()
  const name = useLeadName()(lead)
  const targets = stages.filter(({ type }) => type !== INCOMING)
  const first = targets.find(({ id }) => id !== at.status_id)
  useOpenerFocus(true)
  const { left, bottom, width } = button.getBoundingClientRect()
  const anchor = { '--pb-x': `${left + width}px`, '--pb-y': `${bottom}px` } as CSSProperties
  return (
    <Menu opened onClose={onClose} position="bottom-end" returnFocus={false}>
      <Menu.Target>
        <button type="button" tabIndex={-1} aria-hidden className={classes.anchor} style={anchor}>
          <VisuallyHidden>{t('board.move_of', { name })}</VisuallyHidden>
        </button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        <Menu.Label>{t('board.move_to')}</Menu.Label>
        {targets.map((stage) => {
          const isHere = stage.id === at.status_id
          return (
            <Menu.Item
              key={stage.id}
              disabled={isHere}
              data-autofocus={stage === first || undefined}
              rightSection={isHere ? <IconCheck size={14} aria-hidden /> : undefined}
              onClick={() => onMove(placeOf(stage))}
            >
              <StageLabel name={stage.name} color={stage.color} />
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
