import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { accountOptions } from '../data/accounts.ts'
import { useColleagueName } from '../data/colleagues.ts'
import { noteOptions, purchaseOptions, talkOptions, taskOptions } from '../data/named-things.ts'
import { briefOptions } from '../data/record-briefs.ts'
import { FoldingText } from '../parts/folding-text.tsx'
import { useFormat } from '../parts/format.ts'
import { RecordLink } from '../parts/record-link.tsx'
import { StageLabel } from '../parts/stage-label.tsx'
import classes from './event-value.module.css'
import { noteText } from './note-text.ts'
import type { EventValue } from './use-change.ts'

type Of<Kind extends EventValue['kind']> = Extract<EventValue, { kind: Kind }>

/** One thing that stood before or after. What is named by its id is read here, with others in one request. */
export function EventValueView({ said }: { said: EventValue }) {
  const Form = forms[said.kind] as (props: { said: EventValue }) => ReactNode
  return <Form said={said} />
}

const forms: { [Kind in EventValue['kind']]: (props: { said: Of<Kind> }) => ReactNode } = {
  text: ({ said }) => <LineOrText text={said.text} />,
  tag: ({ said }) => <span className={classes.tag}>{said.text}</span>,
  stage: ({ said }) => (
    <span className={classes.stage} title={said.pipeline ? `${said.pipeline} / ${said.name}` : said.name}>
      <StageLabel name={said.pipeline ? `${said.pipeline} / ${said.name}` : said.name} color={said.color} />
    </span>
  ),
  person: Person,
  record: LinkedRecord,
  note: NoteText,
  result: ResultText,
  purchase: Purchase,
  talk: TalkLink,
}

/** As many characters may stand within a line; a longer text stands apart and folds. */
const IN_LINE = 200

function LineOrText({ text }: { text: string }) {
  if (text.length <= IN_LINE) return <span className={classes.text}>{text}</span>
  return <FoldingText className={classes.text}>{text}</FoldingText>
}

function Person({ said }: { said: Of<'person'> }) {
  const { t } = useTranslation()
  const nameOf = useColleagueName()
  return (
    <span className={classes.text}>
      {said.id === 0 ? t('app.nobody') : (nameOf(said.id) ?? t('app.removed_person'))}
    </span>
  )
}

function LinkedRecord({ said: { collection, entity_type, id } }: { said: Of<'record'> }) {
  const gone = useGoneName()
  const { data } = useQuery(briefOptions(collection, id))
  if (data === undefined) return <span className={classes.waiting}>…</span>
  if (data === null) return <span className={classes.text}>{gone(entity_type, id)}</span>
  return (
    <RecordLink collection={collection} id={id} className={classes.text}>
      {data.name || gone(entity_type, id)}
    </RecordLink>
  )
}

/** What a record is called that has no name to be told: it is gone, hidden, or was never named. */
export function useGoneName() {
  const { t } = useTranslation()
  return (entity_type: string, id: number) => t('events.gone', { kind: kindName(t, entity_type), id })
}

const kindName = (t: TFunction<'web'>, entity_type: string) => {
  const kind = (['lead', 'contact', 'company', 'customer', 'task'] as const).find(
    (one) => one === entity_type,
  )
  return t(`events.kind.${kind ?? 'element'}`)
}

function NoteText({ said: { of, id } }: { said: Of<'note'> }) {
  const { data } = useQuery(noteOptions(of, id))
  const text = data && noteText(data)
  return text && <q className={classes.quote}>{text}</q>
}

function ResultText({ said: { of } }: { said: Of<'result'> }) {
  const { data } = useQuery(taskOptions(of))
  const text = data?.result && 'text' in data.result && data.result.text
  return text && <q className={classes.quote}>{text}</q>
}

function Purchase({ said: { id } }: { said: Of<'purchase'> }) {
  const format = useFormat()
  const { data: account } = useQuery(accountOptions)
  const { data } = useQuery(purchaseOptions(id))
  if (!data || !account) return null
  const price = format.money(data.price, account.currency)
  return <span className={classes.text}>{data.comment ? `${price} · ${data.comment}` : price}</span>
}

function TalkLink({ said: { id } }: { said: Of<'talk'> }) {
  const { t } = useTranslation()
  const { data } = useQuery(talkOptions(id))
  if (!data) return null
  return (
    <Link to="/inbox/$chatId" params={{ chatId: data.chat_id }} className={classes.text}>
      {t('events.to_chat')}
    </Link>
  )
}
