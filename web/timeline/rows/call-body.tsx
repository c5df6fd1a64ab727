import { IconPlayerPlay } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { hostOf } from '../../chats/inbox/media-urls.ts'
import type { TimelineItem } from '../../data/timeline.ts'
import { FoldingText } from '../../parts/layout/folding-text.tsx'
import { clock } from '../../parts/texts/use-now.ts'
import classes from './timeline.module.css'

interface Params {
  phone?: string
  duration?: number
  link?: string
  call_result?: string
  call_status?: number
}

export const callStates = [1, 2, 3, 4, 5, 6, 7] as const

/** A call: the phone, the duration, the outcome and the recording. */
export function CallBody({ item: { note } }: { item: TimelineItem }) {
  const { t } = useTranslation()
  const { phone, duration, link, call_result, call_status } = (note?.params ?? {}) as Params
  const state = callStates.find((one) => one === call_status)
  // Recordings on other hosts are not embedded, because those hosts would learn who listens and when.
  const recording = link && hostOf(link) ? link : undefined
  return (
    <div className={classes.block}>
      <p className={classes.call}>
        {phone && <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a>}
        {duration !== undefined && <span className={classes.number}>{clock(duration)}</span>}
        {state && <span>{t(`timeline.call.state.${state}`)}</span>}
        {recording && (
          <a
            href={recording}
            target="_blank"
            rel="noopener noreferrer"
            title={t('timeline.call.recording_hint')}
          >
            <IconPlayerPlay size={13} aria-hidden /> {t('timeline.call.recording')}
          </a>
        )}
      </p>
      {call_result && <FoldingText className={classes.text}>{call_result}</FoldingText>}
    </div>
  )
}
