import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type AutomationRun, automationRunsOptions } from '../data/automation.ts'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Status, type Tone } from '../parts/layout/status.tsx'
import { LoadMore } from '../parts/lists/load-more.tsx'
import { RecordLink } from '../parts/records/record-link.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { useAttemptText } from '../webhooks/use-attempt-text.ts'
import { actionIcons } from './action-types.ts'
import classes from './automation.module.css'

interface RunsDialogProps {
  pipeline_id: number
  /** Only the runs of this rule. */
  id?: number
  onClose: () => void
}

/** The runs of the rules of a pipeline, or of one of them, in the last thirty days. */
export function RunsDialog({ pipeline_id, id, onClose }: RunsDialogProps) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(automationRunsOptions(pipeline_id, id))
  return (
    <Dialog onClose={onClose} title={t('automation.runs')} size={640}>
      <Loaded query={query} rows={4}>
        {({ pages }) => {
          const runs = pages.flatMap(({ rows }) => rows)
          if (runs.length === 0) return <p className={classes.quiet}>{t('automation.no_runs')}</p>
          return (
            <>
              <ul className={classes.runs} aria-label={t('automation.runs')}>
                {runs.map((run) => (
                  <Run key={run.id} run={run} showType={id === undefined} />
                ))}
              </ul>
              <LoadMore query={query} />
            </>
          )
        }}
      </Loaded>
    </Dialog>
  )
}

const tones: Record<AutomationRun['state'], Tone> = {
  waiting: 'off',
  sending: 'warn',
  done: 'good',
  skipped: 'off',
  failed: 'danger',
}

function Run({ run, showType }: { run: AutomationRun; showType: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { action, lead_id, lead_name, state, reason, planned_at, ended_at, detail } = run
  const Mark = actionIcons[action]
  const call = useCallText(run)
  return (
    <li className={classes.run}>
      <span className={classes.mark} aria-hidden>
        <Mark size={16} stroke={1.7} />
      </span>
      <div className={classes.words}>
        <span className={classes.lead}>
          <RecordLink collection="leads" id={lead_id}>
            {lead_name ?? t('automation.lead_number', { id: lead_id })}
          </RecordLink>
        </span>
        {showType && <span className={classes.moment}>{t(`automation.types.${action}`)}</span>}
        <span className={classes.moment}>
          {state === 'waiting'
            ? t('automation.waits_until', { time: format.dateTime(planned_at) })
            : format.exact(ended_at ?? planned_at)}
        </span>
        {reason && <span className={classes.text}>{t(`automation.reason.${reason}`)}</span>}
        {detail && <span className={classes.moment}>{detail}</span>}
        {call && <span className={classes.moment}>{call}</span>}
      </div>
      <Status tone={tones[state]}>{t(`automation.state.${state}`)}</Status>
    </li>
  )
}

/** Returns the attempts to call a URL, in words. */
function useCallText({ call }: AutomationRun): string | undefined {
  const { t } = useTranslation()
  const format = useFormat()
  const attemptText = useAttemptText()
  if (!call || call.attempts === 0) return undefined
  const tried = [
    t('automation.attempts', { count: call.attempts }),
    attemptText(call.last_status, call.last_error),
    call.next_attempt_at && t('automation.next_attempt', { time: format.time(call.next_attempt_at) }),
  ]
  return tried.filter(Boolean).join(' · ')
}
