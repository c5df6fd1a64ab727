import { ActionIcon, Switch } from '@mantine/core'
import { IconHistory, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Automation, enableAutomation } from '../data/automation.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { Status } from '../parts/layout/status.tsx'
import { actionIcons } from './action-types.ts'
import classes from './automation.module.css'
import { useActionText, useMomentText } from './use-rule-text.ts'

interface RuleCardProps {
  rule: Automation
  onEdit: () => void
  onRemove: () => void
  onShowRuns: () => void
}

/** A rule of a stage. The card opens its dialog. */
export function RuleCard({ rule, onEdit, onRemove, onShowRuns }: RuleCardProps) {
  const { t } = useTranslation()
  const text = useActionText()(rule.action, rule.pipeline_id)
  const moment = useMomentText()(rule)
  const enable = useAction(enableAutomation)
  const { id, pipeline_id, action, is_enabled, problem } = rule
  const Mark = actionIcons[action.type]
  const type = t(`automation.types.${action.type}`)
  const name = text ? `${type}: ${text}` : type
  return (
    <li className={classes.card} data-disabled={!is_enabled || undefined}>
      <span className={classes.mark} aria-hidden>
        <Mark size={16} stroke={1.7} />
      </span>
      <div className={classes.words}>
        <button type="button" className={classes.type} onClick={onEdit} title={name}>
          {type}
        </button>
        {text && <span className={classes.text}>{text}</span>}
        <span className={classes.moment}>{moment}</span>
        {problem && <Status tone="danger">{t(`automation.reason.${problem}`)}</Status>}
      </div>
      <div className={classes.buttons}>
        <Switch
          size="xs"
          checked={is_enabled}
          disabled={enable.pending}
          onChange={({ currentTarget }) => enable.run({ pipeline_id, id, is_enabled: currentTarget.checked })}
          aria-label={t('automation.enabled', { name })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={onShowRuns}
          aria-label={t('automation.runs_of', { name })}
          title={t('automation.runs')}
        >
          <IconHistory size={16} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={onRemove}
          aria-label={t('sorting.remove', { name })}
          title={t('automation.remove')}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </div>
    </li>
  )
}
