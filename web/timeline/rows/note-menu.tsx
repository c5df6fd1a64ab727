import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots, IconPencil, IconPin, IconPinnedOff, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { deleteNote, type Note, pinNote } from '../../data/timeline.ts'
import { Confirm } from '../../parts/dialogs/confirm.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { useEditing } from './note-editing.tsx'
import { useShared } from './row-context.ts'
import classes from './timeline.module.css'

/** Types whose text people write; programs write the others. */
const editable = new Set(['common', 'sms_out'])

/** The actions on a note, for people with permission. */
export function NoteMenu({ note }: { note: Note }) {
  const { t } = useTranslation()
  const { card, canWrite } = useShared()
  const [isAsking, question] = useDisclosure()
  const [isEditing, setEditing] = useEditing()
  const pin = useAction(pinNote(card))
  const remove = useAction(deleteNote(card), t('timeline.deleted'))
  if (!canWrite || note.note_type.endsWith('_created')) return null
  const isPinned = note.is_pinned === true
  return (
    <>
      {/* The editor has the focus until it closes. */}
      <Menu position="bottom-end" width={180} returnFocus={!isEditing}>
        <Menu.Target>
          <ActionIcon
            className={classes.more}
            variant="subtle"
            color="gray"
            size={22}
            aria-label={t('timeline.more', { text: shortOf(note) })}
            title={t('timeline.more', { text: shortOf(note) })}
          >
            <IconDots size={15} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {editable.has(note.note_type) && (
            <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => setEditing(true)}>
              {t('timeline.edit')}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={isPinned ? <IconPinnedOff size={15} /> : <IconPin size={15} />}
            onClick={() => pin.run({ id: note.id, pin: !isPinned })}
          >
            {t(isPinned ? 'timeline.unpin' : 'timeline.pin')}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={15} />} onClick={question.open}>
            {t('timeline.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={isAsking}
        title={t('timeline.delete_title')}
        action={t('timeline.delete')}
        pending={remove.pending}
        onClose={question.close}
        onConfirm={() => {
          question.close()
          remove.run(note.id)
        }}
      >
        {t('timeline.delete_text')}
      </Confirm>
    </>
  )
}

/** The start of a note, to identify it. */
const shortOf = ({ params }: Note) => String((params as { text?: string }).text ?? '').slice(0, 40)
