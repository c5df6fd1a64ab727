import { Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Composer } from '../../chats/inbox/composer.tsx'
import { SendingRow } from '../../chats/inbox/sending-row.tsx'
import { type Chat, chatName } from '../../data/chats.ts'
import { useSending } from '../../data/messages.ts'
import classes from './composer.module.css'

/** Replies in a conversation of the record. The draft is shared with the inbox. */
export function ReplyForm({ chats }: { chats: Chat[] }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState(chats[0]?.id)
  const chat = chats.find(({ id }) => id === chosen) ?? chats[0]
  if (!chat) return null
  return (
    <div className={classes.reply}>
      {chats.length > 1 && (
        <Select
          label={t('timeline.write.chat')}
          data={chats.map((one) => ({
            value: one.id,
            label: `${chatName(one)} · ${one.channel.name}`,
          }))}
          value={chat.id}
          onChange={(id) => id && setChosen(id)}
          allowDeselect={false}
        />
      )}
      <Sending id={chat.id} />
      <Composer key={chat.id} chat={chat} />
    </div>
  )
}

/** Messages that are being sent. */
function Sending({ id }: { id: string }) {
  const sending = useSending(id)
  if (sending.length === 0) return null
  return (
    <ul className={classes.sending}>
      {sending.map((draft) => (
        <SendingRow key={draft.key} draft={draft} />
      ))}
    </ul>
  )
}
