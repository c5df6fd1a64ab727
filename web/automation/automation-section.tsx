import { Button } from '@mantine/core'
import { IconHistory, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Automation, automationsOptions, removeAutomation } from '../data/automation.ts'
import type { Pipeline, Stage } from '../data/pipelines.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Section } from '../parts/layout/section.tsx'
import { StageLabel } from '../parts/records/stage-label.tsx'
import classes from './automation.module.css'
import { RuleCard } from './rule-card.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { RunsDialog } from './runs-dialog.tsx'

/** The automation rules of each stage of a pipeline. */
export function AutomationSection({ pipeline }: { pipeline: Pipeline }) {
  const { t } = useTranslation()
  const query = useQuery(automationsOptions(pipeline.id))
  const [isListing, setListing] = useState(false)
  return (
    <Section
      anchor="automation"
      title={t('automation.title')}
      lead={t('automation.lead')}
      // Runs stay when their rule is removed.
      actions={
        <Button variant="default" leftSection={<IconHistory size={15} />} onClick={() => setListing(true)}>
          {t('automation.runs')}
        </Button>
      }
    >
      <Loaded query={query} rows={3}>
        {(rules) => <Stages stages={pipeline._embedded.statuses} rules={rules} />}
      </Loaded>
      {isListing && <RunsDialog pipeline_id={pipeline.id} onClose={() => setListing(false)} />}
    </Section>
  )
}

type Doing =
  | { do: 'edit'; stage: Stage; rule: Automation | undefined }
  | { do: 'remove' | 'runs'; rule: Automation }

function Stages({ stages, rules }: { stages: Stage[]; rules: Automation[] }) {
  const [doing, setDoing] = useState<Doing>()
  const byStage = Map.groupBy(rules, ({ status_id }) => status_id)
  const stop = () => setDoing(undefined)
  return (
    <>
      <ul className={classes.stages}>
        {stages.map((stage) => (
          <StageRules key={stage.id} stage={stage} rules={byStage.get(stage.id) ?? []} onAct={setDoing} />
        ))}
      </ul>
      {doing?.do === 'edit' && <RuleDialog stage={doing.stage} rule={doing.rule} onClose={stop} />}
      {doing?.do === 'remove' && <RemoveRule rule={doing.rule} onClose={stop} />}
      {doing?.do === 'runs' && (
        <RunsDialog pipeline_id={doing.rule.pipeline_id} id={doing.rule.id} onClose={stop} />
      )}
    </>
  )
}

interface StageRulesProps {
  stage: Stage
  rules: Automation[]
  onAct: (doing: Doing) => void
}

function StageRules({ stage, rules, onAct }: StageRulesProps) {
  const { t } = useTranslation()
  return (
    <li className={classes.stage}>
      <div className={classes.head}>
        <span className={classes.name} title={stage.name}>
          <StageLabel name={stage.name} color={stage.color} />
        </span>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => onAct({ do: 'edit', stage, rule: undefined })}
          aria-label={t('automation.add_at', { stage: stage.name })}
        >
          {t('automation.add')}
        </Button>
      </div>
      {rules.length > 0 && (
        <ul className={classes.cards} aria-label={t('automation.of', { stage: stage.name })}>
          {rules.map((rule) => (
            <RuleCard
              key={rule.id}
              rule={rule}
              onEdit={() => onAct({ do: 'edit', stage, rule })}
              onRemove={() => onAct({ do: 'remove', rule })}
              onShowRuns={() => onAct({ do: 'runs', rule })}
            />
          ))}
        </ul>
      )}
    </li>
  )
}

function RemoveRule({ rule: { pipeline_id, id }, onClose }: { rule: Automation; onClose: () => void }) {
  const { t } = useTranslation()
  const remove = useAction(removeAutomation, t('automation.removed'))
  return (
    <Confirm
      opened
      title={t('automation.remove_title')}
      action={t('automation.remove')}
      pending={remove.pending}
      onConfirm={() => remove.run({ pipeline_id, id }, onClose)}
      onClose={onClose}
    >
      <p>{t('automation.remove_text')}</p>
    </Confirm>
  )
}
