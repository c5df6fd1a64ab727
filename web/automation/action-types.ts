import {
  type Icon,
  IconArrowRight,
  IconCheckbox,
  IconMessage,
  IconPuzzle,
  IconTag,
  IconUser,
  IconWorld,
} from '@tabler/icons-react'
import type { ActionType } from '../data/automation.ts'

/** The icon of each type of action, in the order in which they are offered. */
export const actionIcons: Record<ActionType, Icon> = {
  create_task: IconCheckbox,
  change_stage: IconArrowRight,
  change_responsible: IconUser,
  change_tags: IconTag,
  send_message: IconMessage,
  call_url: IconWorld,
  call_widget: IconPuzzle,
}

export const actionTypes = Object.keys(actionIcons) as ActionType[]
