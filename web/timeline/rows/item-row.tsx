import { memo, type ReactNode } from 'react'
import type { TimelineItem } from '../../data/timeline.ts'
import { ChangeLine } from '../../events/change-line.tsx'
import { Sentence } from '../../events/event-line.tsx'
import { CallBody } from './call-body.tsx'
import { FileBody } from './file-body.tsx'
import { MergedRecord } from './merged-record.tsx'
import { MessageBlock } from './message-block.tsx'
import { GoneNote, NoteBody } from './note-body.tsx'
import { NoteEditing } from './note-editing.tsx'
import { NoteMenu } from './note-menu.tsx'
import { Row } from './row.tsx'
import { TaskBody } from './task-body.tsx'

/** A timeline item with its note, message or task. */
export const ItemRow = memo(function ItemRow({ item }: { item: TimelineItem }) {
  const { kind, event, note, message } = item
  const Body = bodyOf(item)
  // The content below the line need not be repeated in it.
  const hasBody = note !== null || message !== null || kind === 'note'
  const line = (
    <>
      <Sentence event={event} /> {!hasBody && <ChangeLine event={event} />}
      <MergedRecord event={event} />
    </>
  )
  return (
    <NoteEditing>
      <Row kind={kind} event={event} line={line} menu={note && <NoteMenu note={note} />}>
        {Body && <Body item={item} />}
      </Row>
    </NoteEditing>
  )
})

type Body = (props: { item: TimelineItem }) => ReactNode

/** Returns the content below the line of an item. */
function bodyOf({ kind, event, note, message, task }: TimelineItem): Body | undefined {
  if (message) return MessageBlock
  if (task && kind === 'task') return TaskBody
  if (note) return bodiesOfNotes[note.note_type] ?? NoteBody
  const isLost = kind === 'note' || kind === 'call' || kind === 'file'
  return isLost && event.type !== 'common_note_deleted' ? GoneNote : undefined
}

const bodiesOfNotes: Record<string, Body | undefined> = {
  call_in: CallBody,
  call_out: CallBody,
  attachment: FileBody,
  // The line already says that the record was created.
  lead_created: () => null,
  contact_created: () => null,
  company_created: () => null,
  customer_created: () => null,
}
