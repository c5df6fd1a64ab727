import { useQuery } from '@tanstack/react-query'
import { webhooksOptions } from '../data/webhooks.ts'
import { StoppedNotice } from '../webhooks/stopped-notice.tsx'
import { isStopped } from '../webhooks/webhook-state.tsx'

const AGAIN_MS = 60_000

/** For administrators: the webhooks that failures have disabled. */
export function StoppedWebhooks() {
  const { data } = useQuery({ ...webhooksOptions, refetchInterval: AGAIN_MS })
  return <StoppedNotice webhooks={(data ?? []).filter(isStopped)} />
}
