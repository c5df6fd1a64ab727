import { useTranslation } from 'react-i18next'
import type { LogEvent } from '../api/events.ts'
import { ChangeLine } from './change-line.tsx'
import { useDid, useWho } from './event-words.ts'
import { RecordOf } from './record-of.tsx'
import classes from './said.module.css'

/** One event as a sentence: who did what, what stood before and after, and where when that is not clear. */
export function EventLine({ event, showRecord = false }: { event: LogEvent; showRecord?: boolean }) {
  return (
    <>
      <Sentence event={event} /> <ChangeLine event={event} />
      {showRecord && (
        <>
          {' · '}
          <RecordOf event={event} />
        </>
      )}
    </>
  )
}

/** Who did what, without what stood before and after. */
export function Sentence({ event }: { event: LogEvent }) {
  return <WhoDid event={event} did={useDid(event)} />
}

/** Who did what, in the order of the reader's language. */
export function WhoDid({ event, did }: { event: LogEvent; did: string }) {
  const { t } = useTranslation()
  const who = useWho()(event)
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
