import { ActionIcon, Menu } from '@mantine/core'
import { IconMoodPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type ChatMessage, setReaction } from '../../data/messages.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import classes from './message.module.css'

/** Those that messengers offer first. */
const EMOJI = ['👍', '❤️', '😂', '😮', '😢', '🙏']

/** Offers reactions to a message. */
export function ReactionMenu({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const set = useAction(setReaction)
  return (
    <Menu position="top" shadow="md">
      <Menu.Target>
        <ActionIcon
          className={classes.react}
          variant="subtle"
          color="gray"
          size={22}
          aria-label={t('message.react')}
          title={t('message.react')}
        >
          <IconMoodPlus size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.emoji}>
          {EMOJI.map((emoji) => (
            <Menu.Item
              key={emoji}
              fz={18}
              onClick={() => set.run({ message, emoji })}
              aria-label={t('message.react_with', { emoji })}
            >
              {emoji}
            </Menu.Item>
          ))}
        </div>
      </Menu.Dropdown>
    </Menu>
  )
}
