import { IconLock, IconPencil } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isSame, type Member, type RecordPatch, valueAt } from '../data/record-patch.ts'
import { type Author, authorOf, isChangedBy, type ReadRecord } from '../data/records.ts'
import { useFocusBack } from '../parts/dialogs/use-focus-back.ts'
import { PersonName } from '../parts/people/person-name.tsx'
import { useSignedIn } from '../shell/use-session.ts'
import { useCard } from './card-context.tsx'
import classes from './card-field.module.css'
import { MemberValue } from './member-value.tsx'
import { UnsavedNotice } from './unsaved-notice.tsx'

interface Editing {
  /** The record when editing started. */
  seen: ReadRecord
  save: (patch: RecordPatch) => void
  cancel: () => void
}

interface CardFieldProps {
  member: Member
  label: string
  /** The reason why people cannot edit it. */
  lock?: string | undefined
  /** The current stage requires a value. */
  isRequired?: boolean
  /** There is no value. */
  isEmpty?: boolean
  editor?: (editing: Editing) => ReactNode
  /** Edited in place without opening an editor, like a checkbox. */
  isDirect?: boolean
  children: ReactNode
}

/** A field of a card, edited in place. */
export function CardField({ member, label, lock, isRequired, editor, isDirect, ...shown }: CardFieldProps) {
  const { canEdit, open, setOpen, changed } = useCard()
  const by = changed.get(member)
  const isEditable = canEdit && !lock && editor !== undefined
  const isOpen = isEditable && open === member
  const row = useRef<HTMLDivElement>(null)
  const tab = useTabToNext(row, isOpen)
  useFocusBack(row, isOpen, `.${classes.cover}`)
  const close = () => {
    setOpen(null)
    tab.openNext()
  }
  return (
    <div
      ref={row}
      className={classes.field}
      data-card-field={isEditable || isDirect || undefined}
      data-changed={by !== undefined || undefined}
    >
      <Label label={label} isRequired={isRequired} />
      <dd className={classes.content}>
        <div className={classes.value} data-open={isOpen || undefined}>
          {isOpen ? (
            <Writing member={member} editor={editor} onClose={close} />
          ) : (
            <>
              <Shown isEditable={isEditable} {...shown} />
              {isEditable && <EditButton label={label} onClick={() => setOpen(member)} />}
              {lock && <Lock reason={lock} />}
            </>
          )}
        </div>
        {by !== undefined && !isOpen && <JustChanged by={by} />}
        <UnsavedNotice member={member} />
      </dd>
    </div>
  )
}

function Label({ label, isRequired }: Pick<CardFieldProps, 'label' | 'isRequired'>) {
  const { t } = useTranslation()
  return (
    <dt className={classes.label} title={label}>
      {label}
      {isRequired && (
        <span className={classes.required} title={t('card.required')}>
          *
        </span>
      )}
    </dt>
  )
}

interface ShownProps extends Pick<CardFieldProps, 'isEmpty' | 'children'> {
  isEditable: boolean
}

function Shown({ isEditable, isEmpty, children }: ShownProps) {
  const { t } = useTranslation()
  const none = isEditable ? t('card.add_value') : '—'
  return (
    <span className={classes.shown}>{isEmpty ? <span className={classes.none}>{none}</span> : children}</span>
  )
}

/** Covers the value, so that a click anywhere on it opens the editor. */
function EditButton({ label, onClick }: { label: string; onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      className={classes.cover}
      aria-label={t('card.edit', { name: label })}
      onClick={onClick}
    >
      <IconPencil size={14} stroke={1.7} aria-hidden />
    </button>
  )
}

function Lock({ reason }: { reason: string }) {
  return (
    <span className={classes.lock} title={reason}>
      <IconLock size={13} stroke={1.7} role="img" aria-label={reason} />
    </span>
  )
}

function JustChanged({ by }: { by: Author }) {
  const { t } = useTranslation()
  return (
    <p className={classes.by}>
      <PersonName {...by} /> {t('card.just_changed')}
    </p>
  )
}

interface WritingProps {
  member: Member
  editor: NonNullable<CardFieldProps['editor']>
  onClose: () => void
}

/** The editor. It also shows the value if someone else changes it meanwhile. */
function Writing({ member, editor, onClose }: WritingProps) {
  const { t } = useTranslation()
  const { record, read, save } = useCard()
  const { user } = useSignedIn()
  const [seen] = useState(record)
  const [before] = useState(read)
  const isChanged = !isChangedBy(read, user.id) && !isSame(valueAt(read, member), valueAt(before, member))
  return (
    <>
      {editor({
        seen,
        save: (patch) => {
          onClose()
          save(patch, seen)
        },
        cancel: onClose,
      })}
      {isChanged && (
        <p className={classes.meanwhile} role="status">
          <PersonName {...authorOf(read)} /> {t('card.changed_it_to')}{' '}
          <MemberValue member={member} record={read} />
        </p>
      )}
    </>
  )
}

/** Tab moves from the open field to the next one and opens it. */
function useTabToNext(row: RefObject<HTMLDivElement | null>, isOpen: boolean) {
  const direction = useRef(0)
  useEffect(() => {
    const field = row.current
    if (!isOpen || !field) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Tab') return
      direction.current = event.shiftKey ? -1 : 1
      // Tab closes the editor in this tick; a later close has another cause.
      setTimeout(() => {
        direction.current = 0
      })
    }
    field.addEventListener('keydown', onKeyDown)
    return () => field.removeEventListener('keydown', onKeyDown)
  }, [row, isOpen])
  const openNext = () => {
    if (direction.current === 0) return
    const fields = [...document.querySelectorAll<HTMLElement>('[data-card-field]')]
    const next = fields[fields.indexOf(row.current as HTMLElement) + direction.current]
    const find = (what: string) => next?.querySelector<HTMLElement>(what)
    // A long value has a button of its own before the one that opens the editor.
    const target = find(`.${classes.cover}`) ?? find('input, button')
    // Waits until this field is rendered without its editor.
    setTimeout(() => {
      target?.focus()
      if (target?.classList.contains(classes.cover as string)) target.click()
    })
  }
  return { openNext }
}
