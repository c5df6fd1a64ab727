import { Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots, IconPencil, IconPin, IconPinnedOff, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { deleteNote, type Note, pinNote } from '../../data/timeline.ts'
import { Confirm } from '../../parts/dialogs/confirm.tsx'
import { RowMenu } from '../../parts/dialogs/row-menu.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { useEditing } from './note-editing.tsx'
import { useShared } from './row-context.ts'
import classes from './timeline.module.css'

/** Types whose text people write; programs write the others. */
const editable = new Set(['common', 'sms_out'])

/** The actions on a note, for people with permission. */
export function NoteMenu({ note }: { note: Note }) {
  const { t } = useTranslation()
  const { canWrite } = useShared()
  const [isAsking, question] = useDisclosure()
  const [isEditing, setEditing] = useEditing()
  if (!canWrite || note.note_type.endsWith('_created')) return null
  return (
    <>
      <RowMenu
        label={t('timeline.more', { text: shortOf(note) })}
        icon={<IconDots size={15} />}
        size={22}
        className={classes.more}
        position="bottom-end"
        width={180}
        // The editor has the focus until it closes.
        returnFocus={!isEditing}
      >
        <Actions note={note} onEdit={() => setEditing(true)} onDelete={question.open} />
      </RowMenu>
      {isAsking && <Question note={note} onClose={question.close} />}
    </>
  )
}

interface ActionsProps {
  note: Note
  onEdit: () => void
  onDelete: () => void
}

function Actions({ note, onEdit, onDelete }: ActionsProps) {
  const { t } = useTranslation()
  const { card } = useShared()
  const pin = useAction(pinNote(card))
  const isPinned = note.is_pinned === true
  return (
    <>
      {editable.has(note.note_type) && (
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={onEdit}>
          {t('timeline.edit')}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={isPinned ? <IconPinnedOff size={15} /> : <IconPin size={15} />}
        onClick={() => pin.run({ id: note.id, pin: !isPinned })}
      >
        {t(isPinned ? 'timeline.unpin' : 'timeline.pin')}
      </Menu.Item>
      <Menu.Item leftSection={<IconTrash size={15} />} onClick={onDelete}>
        {t('timeline.delete')}
      </Menu.Item>
    </>
  )
}

function Question({ note, onClose }: { note: Note; onClose: () => void }) {
  const { t } = useTranslation()
  const { card } = useShared()
  const remove = useAction(deleteNote(card), t('timeline.deleted'))
  return (
    <Confirm
      opened
      title={t('timeline.delete_title')}
      action={t('timeline.delete')}
      onClose={onClose}
      onConfirm={() => {
        onClose()
        remove.run(note.id)
      }}
    >
      {t('timeline.delete_text')}
    </Confirm>
  )
}

/** The start of a note, to identify it. */
const shortOf = ({ params }: Note) => String((params as { text?: string }).text ?? '').slice(0, 40)
