import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { accountOptions } from '../data/accounts.ts'
import { talkOptions } from '../data/chats.ts'
import { briefOptions } from '../data/record-briefs.ts'
import { namedTaskOptions, noteOptions, purchaseOptions } from '../data/rows-by-id.ts'
import { FoldingText } from '../parts/layout/folding-text.tsx'
import { usePersonText } from '../parts/people/use-person-text.ts'
import { RecordLink } from '../parts/records/record-link.tsx'
import { StageLabel } from '../parts/records/stage-label.tsx'
import { useFormat } from '../parts/texts/format.ts'
import classes from './event-value.module.css'
import { noteText } from './note-text.ts'
import type { EventValue } from './use-event-change.ts'

type Of<Kind extends EventValue['kind']> = Extract<EventValue, { kind: Kind }>

/** A value before or after a change. Names of linked objects are loaded in batches. */
export function EventValueView({ value }: { value: EventValue }) {
  const Form = forms[value.kind] as (props: { value: EventValue }) => ReactNode
  return <Form value={value} />
}

const forms: { [Kind in EventValue['kind']]: (props: { value: Of<Kind> }) => ReactNode } = {
  text: ({ value }) => <LineOrText text={value.text} />,
  tag: ({ value }) => <span className={classes.tag}>{value.text}</span>,
  stage: ({ value }) => (
    <span className={classes.stage} title={value.pipeline ? `${value.pipeline} / ${value.name}` : value.name}>
      <StageLabel
        name={value.pipeline ? `${value.pipeline} / ${value.name}` : value.name}
        color={value.color}
      />
    </span>
  ),
  person: Person,
  record: LinkedRecord,
  note: NoteText,
  result: ResultText,
  purchase: Purchase,
  talk: TalkLink,
  waiting: Waiting,
}

function Waiting() {
  return <span className={classes.waiting}>…</span>
}

/** Longer texts are shown in their own block, collapsed. */
const IN_LINE = 200

function LineOrText({ text }: { text: string }) {
  if (text.length <= IN_LINE) return <span className={classes.text}>{text}</span>
  return <FoldingText className={classes.text}>{text}</FoldingText>
}

function Person({ value }: { value: Of<'person'> }) {
  const name = usePersonText()(value.id)
  return name === undefined ? <Waiting /> : <span className={classes.text}>{name}</span>
}

function LinkedRecord({ value: { collection, entity_type, id } }: { value: Of<'record'> }) {
  const gone = useGoneName()
  const { data } = useQuery(briefOptions(collection, id))
  if (data === undefined) return <Waiting />
  if (data === null) return <span className={classes.text}>{gone(entity_type, id)}</span>
  return (
    <RecordLink collection={collection} id={id} className={classes.text}>
      {data.name || gone(entity_type, id)}
    </RecordLink>
  )
}

/** Returns the label of a record without a visible name: deleted, hidden or unnamed. */
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

function NoteText({ value: { of, id } }: { value: Of<'note'> }) {
  const { data } = useQuery(noteOptions(of, id))
  const text = data && noteText(data)
  return text && <q className={classes.quote}>{text}</q>
}

function ResultText({ value: { of } }: { value: Of<'result'> }) {
  const { data } = useQuery(namedTaskOptions(of))
  const text = data?.result && 'text' in data.result && data.result.text
  return text && <q className={classes.quote}>{text}</q>
}

function Purchase({ value: { id } }: { value: Of<'purchase'> }) {
  const format = useFormat()
  const { data: account } = useQuery(accountOptions)
  const { data } = useQuery(purchaseOptions(id))
  if (!data || !account) return null
  const price = format.money(data.price_with_minor_units, account.currency)
  return <span className={classes.text}>{data.comment ? `${price} · ${data.comment}` : price}</span>
}

function TalkLink({ value: { id } }: { value: Of<'talk'> }) {
  const { t } = useTranslation()
  const { data } = useQuery(talkOptions(id))
  if (!data) return null
  return (
    <Link to="/inbox/$chatId" params={{ chatId: data.chat_id }} className={classes.text}>
      {t('events.to_chat')}
    </Link>
  )
}
