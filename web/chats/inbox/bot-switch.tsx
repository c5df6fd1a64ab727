import { ActionIcon, Tooltip } from '@mantine/core'
import { IconRobot, IconRobotOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Bot, botOptions, switchBot } from '../../data/bots.ts'
import type { Chat } from '../../data/chats.ts'
import { useAction } from '../../parts/forms/use-action.ts'

/** Shows whether the reply bot answers in a conversation, and stops it or lets it answer again. */
export function BotSwitch({ chat }: { chat: Chat }) {
  const { data: bot } = useQuery(botOptions)
  // Without intents and a greeting, the bot has nothing to say.
  if (!bot?.settings.active || !chat.can_write) return null
  return <Switch bot={bot} chat={chat} />
}

function Switch({ bot, chat }: { bot: Bot; chat: Chat }) {
  const { t } = useTranslation()
  const state = chat.is_bot_stopped ? 'off' : 'on'
  const change = useAction(switchBot, t(`chat.bot.done_${state}`))
  return (
    <Tooltip label={t(`chat.bot.hint_${state}`)} multiline maw={260}>
      <ActionIcon
        variant="default"
        size={32}
        loading={change.pending}
        onClick={() => change.run({ bot, chat })}
        aria-label={t(`chat.bot.act_${state}`)}
      >
        {chat.is_bot_stopped ? <IconRobotOff size={17} /> : <IconRobot size={17} />}
      </ActionIcon>
    </Tooltip>
  )
}
