import { useTranslation } from 'react-i18next'
import type { LogEvent } from '../data/events.ts'
import { ChangeLine } from './change-line.tsx'
import { EventRecord } from './event-record.tsx'
import { useActionText, useActor } from './event-text.ts'
import classes from './event-value.module.css'

/** An event in one line: person, action, values, and optionally the record. */
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

/** The person and the action of an event. */
export function Sentence({ event }: { event: LogEvent }) {
  return <ActorAndAction event={event} did={useActionText(event)} />
}

/** The person and the action, in the word order of the reader's language. */
export function ActorAndAction({ event, did }: { event: LogEvent; did: string }) {
  const { t } = useTranslation()
  const { name, person } = useActor()(event)
  const sentence =
    person === undefined
      ? t('events.who_did', { who: PLACE, did })
      : t('events.who_did_for', { who: PLACE, person, did })
  const [before, after] = sentence.split(PLACE)
  return (
    <>
      {before}
      <b className={classes.who}>{name}</b>
      {after}
    </>
  )
}

/** A placeholder for the name, from the private use area of Unicode. */
const PLACE = '\u{f8ff}'
