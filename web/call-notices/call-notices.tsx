import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type CallNotice, onCallNotice } from '../data/live-events.ts'
import { queryClient } from '../data/query-client.ts'
import { briefOptions } from '../data/record-briefs.ts'
import { useNotice } from '../parts/records/use-notice.tsx'

/** Tells the person who calls, with a link to the card. Renders nothing itself. */
export function CallNotices() {
  const { t } = useTranslation()
  const show = useNotice()
  const arrived = useEffectEvent(async ({ phone, entity }: CallNotice) => {
    const brief =
      entity && (await queryClient.ensureQueryData(briefOptions(entity.type, entity.id)).catch(() => null))
    const title = t('call.incoming')
    if (!entity || !brief) return show({ title, message: phone })
    show({
      title,
      record: { collection: entity.type, id: entity.id, name: brief.name || phone },
      message: phone,
    })
  })
  useEffect(() => onCallNotice(arrived), [])
  return null
}
