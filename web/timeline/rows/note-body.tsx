import { Button, Textarea } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Linked } from '../../chats/inbox/linked-text.tsx'
import { editNote, type Note, type TimelineItem } from '../../data/timeline.ts'
import { useUnsaved } from '../../parts/forms/unsaved.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { FoldingText } from '../../parts/layout/folding-text.tsx'
import { useEditing } from './note-editing.tsx'
import { useShared } from './row-context.ts'
import classes from './timeline.module.css'

/** The note properties that are shown. */
interface Params {
  text?: string
  service?: string
  phone?: string
  url?: string
  campaign?: string
  address?: string
  latitude?: string
  longitude?: string
}

/** The text of a note and the details of its type. */
export function NoteBody({ item }: { item: Pick<TimelineItem, 'note'> }) {
  const [isEditing] = useEditing()
  const { note } = item
  if (!note) return null
  if (isEditing) return <NoteForm note={note} />
  const { text, service, phone, url, campaign, address, latitude, longitude } = note.params as Params
  const details = [service, phone, campaign].filter(Boolean).join(' · ')
  if (!text && !url && !details && !address) return null
  return (
    <div className={classes.block}>
      {details && <p className={classes.details}>{details}</p>}
      {text && (
        <FoldingText className={classes.text}>
          <Linked text={text} />
        </FoldingText>
      )}
      {url && (
        <p className={classes.text}>
          <Linked text={url} />
        </p>
      )}
      {address && <Place address={address} latitude={latitude} longitude={longitude} />}
    </div>
  )
}

function Place({ address, latitude, longitude }: Pick<Params, 'address' | 'latitude' | 'longitude'>) {
  const at = [latitude, longitude].map(Number)
  if (at.some((part) => !Number.isFinite(part))) return <p className={classes.details}>{address}</p>
  const place = `https://www.openstreetmap.org/?mlat=${at[0]}&mlon=${at[1]}#map=16/${at[0]}/${at[1]}`
  return (
    <a className={classes.details} href={place} target="_blank" rel="noopener noreferrer">
      {address}
    </a>
  )
}

/** Shown instead of a deleted note. */
export function GoneNote() {
  const { t } = useTranslation()
  return <p className={classes.gone}>{t('timeline.gone_note')}</p>
}

/** Maximum length of a note. */
const MOST = 65_535

function NoteForm({ note }: { note: Note }) {
  const { t } = useTranslation()
  const { card } = useShared()
  const [, setEditing] = useEditing()
  const [text, setText] = useState(String((note.params as Params).text ?? ''))
  const field = useRef<HTMLTextAreaElement>(null)
  const save = useAction(editNote(card))
  const isChanged = text !== ((note.params as Params).text ?? '')
  const isSame = text.trim() === '' || !isChanged
  useUnsaved(isChanged)
  // The editor keeps the text until it is saved: a refusal must not lose it, nor a late response what was typed since.
  const close = (saved: string) => {
    if (field.current?.value === saved) setEditing(false)
  }
  const done = () => {
    if (isSame) setEditing(false)
    else if (!save.pending) save.run({ note, text: text.trim() }, () => close(text))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setEditing(false)
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) done()
  }
  return (
    <div className={classes.form}>
      <Textarea
        ref={field}
        autosize
        minRows={2}
        maxRows={16}
        maxLength={MOST}
        data-autofocus
        autoFocus
        aria-label={t('timeline.text')}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(MOST, MOST)}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.buttons}>
        <Button size="xs" variant="default" onClick={() => setEditing(false)}>
          {t('act.cancel')}
        </Button>
        <Button size="xs" onClick={done} loading={save.pending} disabled={isSame}>
          {t('act.save')}
        </Button>
      </div>
    </div>
  )
}
