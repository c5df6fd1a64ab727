import { ActionIcon, Menu } from '@mantine/core'
import { IconAlertCircle, IconCheck, IconChecks, IconDots, IconMoodOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ChatMessage } from '../../data/messages.ts'
import { type CustomerStatus, reactAsCustomer, reportStatus } from '../../data/telephone.ts'
import { useAction } from '../../parts/forms/use-action.ts'

const states = { delivered: IconCheck, read: IconChecks, failed: IconAlertCircle } satisfies Record<
  CustomerStatus['state'],
  unknown
>
const EMOJIS = ['👍', '❤️', '😀', '😢']

/** The reports that a telephone can send about a message of the account, and the reactions of the customer. */
export function TelephoneActions({ channelId, message }: { channelId: string; message: ChatMessage }) {
  const { t } = useTranslation()
  const report = useAction(reportStatus(channelId))
  const react = useAction(reactAsCustomer(channelId))
  const message_id = message.id
  const error = t('telephone.failed_reason')
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={26}
          aria-label={t('telephone.actions')}
          title={t('telephone.actions')}
        >
          <IconDots size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('telephone.report')}</Menu.Label>
        {Object.entries(states).map(([name, Mark]) => {
          const state = name as CustomerStatus['state']
          return (
            <Menu.Item
              key={state}
              leftSection={<Mark size={15} />}
              onClick={() => report.run({ message_id, state, ...(state === 'failed' && { error }) })}
            >
              {t(`telephone.state.${state}`)}
            </Menu.Item>
          )
        })}
        <Menu.Label>{t('telephone.react')}</Menu.Label>
        {EMOJIS.map((emoji) => (
          <Menu.Item key={emoji} onClick={() => react.run({ message_id, emoji })}>
            {emoji}
          </Menu.Item>
        ))}
        {message.reactions.length > 0 && (
          <Menu.Item
            leftSection={<IconMoodOff size={15} />}
            onClick={() => react.run({ message_id, emoji: null })}
          >
            {t('telephone.take_back')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
