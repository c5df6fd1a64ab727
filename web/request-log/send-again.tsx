import { Button, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { obstacleTo } from '../../src/request-log/repeat-types.ts'
import { type LoggedExchange, sendRequestAgain } from '../data/requests.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useAction } from '../parts/forms/use-action.ts'

/** Sends the request again with the rights that it had, after a confirmation, and opens the new one. */
export function SendAgain({ request }: { request: LoggedExchange }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const send = useAction(sendRequestAgain, t('requests.send.done'))
  const { id, direction, method, path } = request
  const obstacle = obstacleTo(request)
  if (direction === 'out') return null
  const confirm = () =>
    send.run(id, (sent) => {
      setIsAsking(false)
      navigate({ to: '/developers/requests/$requestId/answer', params: { requestId: String(sent.id) } })
    })
  return (
    <>
      <Tooltip label={obstacle && t(`requests.send.not.${obstacle}`)} disabled={!obstacle}>
        {/* A disabled button gets no focus, so it would not say why it is disabled. */}
        <Button
          leftSection={<IconRefresh size={15} aria-hidden />}
          data-disabled={obstacle !== null || undefined}
          aria-disabled={obstacle !== null}
          aria-description={obstacle ? t(`requests.send.not.${obstacle}`) : undefined}
          onClick={() => obstacle === null && setIsAsking(true)}
        >
          {t('requests.send.open')}
        </Button>
      </Tooltip>
      <Confirm
        opened={isAsking}
        title={t('requests.send.title')}
        action={t('requests.send.open')}
        pending={send.pending}
        onConfirm={confirm}
        onClose={() => setIsAsking(false)}
      >
        <p>
          <code>
            {method} {path}
          </code>
        </p>
        <p>{t('requests.send.text')}</p>
      </Confirm>
    </>
  )
}
