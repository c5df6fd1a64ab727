import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Channel, channelOptions, resumeChannel } from '../../data/channels.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { Callout } from '../../parts/layout/callout.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { RelativeTime } from '../../parts/texts/relative-time.tsx'
import { useNow } from '../../parts/texts/use-now.ts'
import { useReason } from '../failure-reasons.ts'
import { useChannel } from './channel-page.tsx'
import { ChannelState } from './channel-state.tsx'
import classes from './channels.module.css'

/** Milliseconds between updates while the page is open. */
const LOOK_AGAIN = 5_000

/** The health of the callback and the next attempt. */
export function HealthTab() {
  const { t } = useTranslation()
  const channel = useChannel()
  useQuery({ ...channelOptions(channel.id), refetchInterval: LOOK_AGAIN })
  const format = useFormat()
  const now = useNow(5)
  const reason = useReason()
  const { failures, failing_since, opens_at, last_success_at, last_failure_at, last_error, waiting } =
    channel.health
  const details: [string, ReactNode][] = [
    [t('health.state'), <ChannelState key="state" of={channel} />],
    [t('health.waiting'), format.number(waiting)],
    [t('health.failures'), failures > 0 && format.number(failures)],
    [t('health.since'), failing_since !== null && format.dateTime(failing_since)],
    [t('health.next'), opens_at !== null && opens_at > now && format.dateTime(opens_at)],
    [t('health.last_error'), last_error && <span className={classes.error}>{reason(last_error)}</span>],
    [t('health.last_failure'), last_failure_at !== null && <RelativeTime at={last_failure_at} />],
    [
      t('health.last_success'),
      last_success_at === null ? t('health.never') : <RelativeTime key="success" at={last_success_at} />,
    ],
  ]
  return (
    <>
      {channel.state === 'stopped' && <Stopped channel={channel} />}
      <Section title={t('health.title')} lead={t('health.lead')}>
        <div className={classes.details}>
          <DescriptionList of={details.map(([name, value]) => [name, value === false ? null : value])} />
        </div>
      </Section>
      {channel.state === 'active' && opens_at !== null && <ProbeNow channel={channel} />}
    </>
  )
}

function Stopped({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  const resume = useAction(resumeChannel, t('health.resumed'))
  return (
    <div className={classes.notice}>
      <Callout
        tone="danger"
        title={t('health.stopped_title')}
        actions={
          <Button variant="default" loading={resume.pending} onClick={() => resume.run(channel.id)}>
            {t('health.resume')}
          </Button>
        }
      >
        {t(`health.stopped_${channel.stop_reason ?? 'dead'}`)} {t('health.resume_hint')}
      </Callout>
    </div>
  )
}

/** After fixing the callback, an administrator can retry immediately. */
function ProbeNow({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  const resume = useAction(resumeChannel, t('health.trying'))
  return (
    <Section
      title={t('health.try_now')}
      lead={t('health.try_now_lead')}
      actions={
        <Button variant="default" loading={resume.pending} onClick={() => resume.run(channel.id)}>
          {t('health.try_now')}
        </Button>
      }
    />
  )
}
