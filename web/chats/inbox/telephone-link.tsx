import { ActionIcon } from '@mantine/core'
import { IconDeviceMobileMessage } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Chat } from '../../data/chats.ts'
import { customerOf } from '../../data/telephone.ts'
import { useSession } from '../../shell/use-session.ts'

/** Opens the telephone of a customer that somebody plays. Only administrators have it. */
export function TelephoneLink({ chat }: { chat: Chat }) {
  const { t } = useTranslation()
  const { account } = useSession()
  const customer = customerOf(chat)
  if (!customer || !account?.is_admin) return null
  return (
    <ActionIcon
      variant="default"
      size={32}
      aria-label={t('telephone.title')}
      title={t('telephone.title')}
      renderRoot={(props) => (
        <Link
          to="/settings/channels/$channelId/telephone"
          params={{ channelId: chat.channel.id }}
          search={{ customer: customer.key }}
          {...props}
        />
      )}
    >
      <IconDeviceMobileMessage size={17} />
    </ActionIcon>
  )
}
