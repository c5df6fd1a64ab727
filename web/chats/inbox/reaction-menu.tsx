import { Menu } from '@mantine/core'
import { IconMoodPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type ChatMessage, setReaction } from '../../data/messages.ts'
import { RowMenu } from '../../parts/dialogs/row-menu.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import classes from './message.module.css'

/** Those that messengers offer first. */
const EMOJI = ['👍', '❤️', '😂', '😮', '😢', '🙏']

/** Offers reactions to a message. */
export function ReactionMenu({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  return (
    <RowMenu
      label={t('message.react')}
      icon={<IconMoodPlus size={15} />}
      size={22}
      className={classes.react}
      position="top"
      shadow="md"
    >
      <Choices message={message} />
    </RowMenu>
  )
}

function Choices({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const set = useAction(setReaction(message))
  return (
    <div className={classes.emoji}>
      {EMOJI.map((emoji) => (
        <Menu.Item
          key={emoji}
          fz={18}
          onClick={() => set.run(emoji)}
          aria-label={t('message.react_with', { emoji })}
        >
          {emoji}
        </Menu.Item>
      ))}
    </div>
  )
}
