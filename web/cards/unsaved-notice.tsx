import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { isSame, type Member, membersOf, type RecordPatch, valueAt, withPatch } from '../data/record-patch.ts'
import { dismiss, type Unsaved } from '../data/record-writes.ts'
import { authorOf, type ReadRecord } from '../data/records.ts'
import { useFaultText, useProblemText } from '../parts/layout/problem-text.ts'
import { PersonName } from '../parts/people/person-name.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { useCard } from './card-context.tsx'
import classes from './card-field.module.css'
import { MemberValue } from './member-value.tsx'

/** Shows a value that could not be saved, with the reason or the conflicting value. */
export function UnsavedNotice({ member }: { member: Member }) {
  const { collection, id, unsaved, save, record, read } = useCard()
  const note = unsaved.find((one) => one.member === member)
  // Only the response was lost.
  const isStored = note !== undefined && !note.theirs && has(read, note.patch)
  useEffect(() => {
    if (isStored) dismiss(collection, id, note)
  }, [isStored, collection, id, note])
  if (!note || isStored) return null
  const keep = () => save(note.patch, note.theirs ?? record)
  const drop = () => dismiss(collection, id, note)
  return note.theirs ? (
    <ConflictNote note={note} theirs={note.theirs} onKeep={keep} onDrop={drop} />
  ) : (
    <RefusedNote note={note} onKeep={keep} onDrop={drop} />
  )
}

/** Whether the record has the values of a change. */
const has = (record: ReadRecord, patch: RecordPatch): boolean =>
  membersOf(patch).every((member) =>
    isSame(valueAt(record, member), valueAt(withPatch(record, patch), member)),
  )

interface NoteProps {
  note: Unsaved
  onKeep: () => void
  onDrop: () => void
}

/** Two people changed the same field; the later one chooses. */
function ConflictNote({ note, theirs, onKeep, onDrop }: NoteProps & { theirs: ReadRecord }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={classes.note} role="alert">
      <p className={classes.noteTitle}>
        <PersonName {...authorOf(theirs)} />{' '}
        {t('card.also_changed', { time: format.time(theirs.updated_at) })}
      </p>
      <dl className={classes.versions}>
        <dt>{t('card.theirs')}</dt>
        <dd>
          <MemberValue member={note.member} record={theirs} />
        </dd>
        <dt>{t('card.mine')}</dt>
        <dd>
          <MemberValue member={note.member} record={withPatch(theirs, note.patch)} />
        </dd>
      </dl>
      <div className={classes.noteButtons}>
        <Button size="xs" variant="default" onClick={onDrop}>
          {t('card.take_theirs')}
        </Button>
        <Button size="xs" variant="default" onClick={onKeep}>
          {t('card.keep_mine')}
        </Button>
      </div>
    </div>
  )
}

/** The server rejected the change or did not respond. */
function RefusedNote({ note, onKeep, onDrop }: NoteProps) {
  const { t } = useTranslation()
  const { record } = useCard()
  const reason = useNotSavedText()
  return (
    <div className={classes.note} role="alert">
      <p className={classes.noteTitle}>{reason(note.error)}</p>
      <dl className={classes.versions}>
        <dt>{t('card.mine')}</dt>
        <dd>
          <MemberValue member={note.member} record={withPatch(record, note.patch)} />
        </dd>
      </dl>
      <div className={classes.noteButtons}>
        <Button size="xs" variant="default" onClick={onDrop}>
          {t('act.discard')}
        </Button>
        <Button size="xs" variant="default" onClick={onKeep}>
          {t('act.try_again')}
        </Button>
      </div>
    </div>
  )
}

/**
 * Returns one sentence about why a change was not saved: the fault of the value if there is one, else the problem.
 */
function useNotSavedText(): (error: unknown) => string {
  const { t } = useTranslation()
  const problemText = useProblemText()
  const faultText = useFaultText()
  return (error) => {
    const fault = error instanceof Problem ? error.faults[0] : undefined
    const reason = fault ? faultText(fault) : problemText(error).title
    return t('card.not_saved', { reason })
  }
}
