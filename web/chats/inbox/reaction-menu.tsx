import { ActionIcon, Menu } from '@mantine/core'
import { IconMoodPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type ChatMessage, setReaction } from '../../data/messages.ts'
import { usePopup } from '../../parts/dialogs/use-popup.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import classes from './message.module.css'

/** Those that messengers offer first. */
const EMOJI = ['👍', '❤️', '😂', '😮', '😢', '🙏']

/** Offers reactions to a message. */
export function ReactionMenu({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const { button, popup, target } = usePopup('menu')
  return (
    <>
      <ActionIcon
        {...button}
        className={classes.react}
        variant="subtle"
        color="gray"
        size={22}
        aria-label={t('message.react')}
        title={t('message.react')}
      >
        <IconMoodPlus size={15} />
      </ActionIcon>
      {popup && (
        <Menu {...popup} position="top" shadow="md">
          <Menu.Target>{target}</Menu.Target>
          <Menu.Dropdown>
            <Choices message={message} />
          </Menu.Dropdown>
        </Menu>
      )}
    </>
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
