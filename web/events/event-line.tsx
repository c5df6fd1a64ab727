import { useTranslation } from 'react-i18next'
import type { LogEvent } from '../data/events.ts'
import { ChangeLine } from './change-line.tsx'
import { EventRecord } from './event-record.tsx'
import { useActionText, useActorName } from './event-text.ts'
import classes from './event-value.module.css'

/** One event as a sentence: who did what, what stood before and after, and where when that is not clear. */
export function EventLine({ event, showRecord = false }: { event: LogEvent; showRecord?: boolean }) {
  return (
    <>
      <Sentence event={event} /> <ChangeLine event={event} />
      {showRecord && (
        <>
          {' · '}
          <EventRecord event={event} />
        </>
      )}
    </>
  )
}

/** Who did what, without what stood before and after. */
export function Sentence({ event }: { event: LogEvent }) {
  return <ActorAndAction event={event} did={useActionText(event)} />
}

/** Who did what, in the order of the reader's language. */
export function ActorAndAction({ event, did }: { event: LogEvent; did: string }) {
  const { t } = useTranslation()
  const who = useActorName()(event)
  const [before, after] = t('events.who_did', { who: PLACE, did }).split(PLACE)
  return (
    <>
      {before}
      <b className={classes.who}>{who}</b>
      {after}
    </>
  )
}

/** Stands for the name while a sentence is made; nobody types it. */
const PLACE = '\u{f8ff}'
