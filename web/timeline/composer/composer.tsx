import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type Chat, chatsOfOptions } from '../../data/chats.ts'
import type { Card } from '../../data/timeline.ts'
import { TaskForm } from '../../tasks/task-form.tsx'
import { CallForm } from './call-form.tsx'
import classes from './composer.module.css'
import { FileForm } from './file-form.tsx'
import { NoteForm } from './note-form.tsx'
import { ReplyForm } from './reply-form.tsx'
import { SmsForm } from './sms-form.tsx'
import { keepWriteDraft, type Mode, modes, useWriteDraft } from './write-drafts.ts'

/** Adds a note, a call, an SMS, a task, files or a chat reply to a card. Drafts are kept. */
export function Composer({ card }: { card: Card }) {
  const { t } = useTranslation()
  const draft = useWriteDraft(card)
  const chats = useChats(card)
  const panel = useId()
  const offered = modes.filter((mode) => mode !== 'reply' || chats.length > 0)
  const mode = offered.includes(draft.mode) ? draft.mode : 'note'
  return (
    <section className={classes.composer} aria-label={t('timeline.write.label')}>
      <div className={classes.modes}>
        {offered.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === mode}
            aria-controls={panel}
            onClick={() => keepWriteDraft(card, { mode: one })}
          >
            {t(`timeline.write.${one}`)}
          </button>
        ))}
      </div>
      <div id={panel}>{forms[mode](card, chats)}</div>
    </section>
  )
}

const forms: Record<Mode, (card: Card, chats: Chat[]) => ReactNode> = {
  note: (card) => <NoteForm card={card} />,
  call: (card) => <CallForm card={card} />,
  sms: (card) => <SmsForm card={card} />,
  task: (card) => <TaskForm collection={card.collection} id={card.id} />,
  file: (card) => <FileForm card={card} />,
  reply: (_, chats) => <ReplyForm chats={chats} />,
}

/** Returns the record's conversations in which the person can reply. */
function useChats({ collection, id }: Card): Chat[] {
  const of = collection === 'leads' ? 'lead' : 'contact'
  const isOfChats = collection === 'leads' || collection === 'contacts'
  const { data = [] } = useQuery({ ...chatsOfOptions(of, id), enabled: isOfChats })
  return data.filter(({ can_write }) => can_write)
}
