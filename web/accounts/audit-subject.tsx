import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { KindName } from '../../src/retention/kind-types.ts'
import type { AuditEntry } from '../data/audit.ts'
import type { ActionType } from '../data/automation.ts'
import { channelsOptions } from '../data/channels.ts'
import { useColleagueName } from '../data/colleagues.ts'
import { installationsOptions } from '../data/installations.ts'
import { integrationsOptions } from '../data/integrations.ts'
import classes from './audit.module.css'

type Target = Pick<LinkProps, 'to' | 'params'>

/** The page of a subject, by the part of the action before the dot. */
const places: Record<string, (entry: AuditEntry) => Target> = {
  account: () => ({ to: '/settings/account' }),
  retention: () => ({ to: '/settings/retention' }),
  user: ({ details }) => ({ to: '/settings/people/$userId', params: { userId: String(details.id) } }),
  group: () => ({ to: '/settings/groups' }),
  role: ({ details }) => ({ to: '/settings/roles/$roleId', params: { roleId: String(details.id) } }),
  channel: ({ channel_id }) => ({
    to: '/settings/channels/$channelId',
    params: { channelId: channel_id ?? '' },
  }),
  intent: () => ({ to: '/settings/bot' }),
  webhook: ({ details }) => ({
    to: '/settings/webhooks/$webhookId',
    params: { webhookId: String(details.id) },
  }),
  pipeline: ({ details }) => pipeline(details.id),
  stage: ({ details }) => pipeline(details.pipeline_id),
  automation: ({ details }) => pipeline(details.pipeline_id),
  loss_reason: () => ({ to: '/settings/pipelines' }),
  customer_status: () => ({ to: '/settings/pipelines' }),
  field: () => ({ to: '/settings/fields' }),
  field_group: () => ({ to: '/settings/fields' }),
  catalog: ({ details }) => ({ to: '/lists/$catalogId', params: { catalogId: String(details.id) } }),
  segment: () => ({ to: '/settings/audiences' }),
  audience: () => ({ to: '/settings/audiences' }),
}

const pipeline = (id: unknown): Target => ({
  to: '/settings/pipelines/$pipelineId',
  params: { pipelineId: String(id) },
})

/** The subject of an entry, as a link while it exists. */
export function AuditSubject({ entry }: { entry: AuditEntry }) {
  const subject = useSubject()(entry)
  if (!subject) return null
  const { name, target } = subject
  if (!target)
    return (
      <span className={classes.subject} title={name}>
        {name}
      </span>
    )
  return (
    <Link {...target} className={classes.subject} title={name}>
      {name}
    </Link>
  )
}

function useSubject(): (entry: AuditEntry) => { name: string; target: Target | undefined } | undefined {
  const { t } = useTranslation()
  const personOf = useColleagueName()
  const integrationOf = useIntegrations()
  const { data: channels } = useQuery(channelsOptions)
  return (entry) => {
    const [subject = '', verb] = entry.action.split('.')
    // An entry about something else has the integration that acted.
    if (entry.integration_id !== null && !entry.by_integration)
      return integrationOf(entry.integration_id, entry.details)
    const { id, name } = entry.details
    const channel = channels?.find((one) => one.id === entry.channel_id)
    const called =
      subject === 'user'
        ? personOf(Number(id))
        : subject === 'automation'
          ? t(`automation.types.${name as ActionType}`)
          : subject === 'retention' && typeof name === 'string'
            ? t(`retention.kinds.${name as KindName}.title`)
            : (channel?.name ?? name)
    if (typeof called !== 'string') return undefined
    const isGone =
      verb === 'removed' ||
      verb === 'deleted' ||
      (entry.channel_id !== null && channels !== undefined && !channel)
    return { name: called, target: isGone ? undefined : places[subject]?.(entry) }
  }
}

/** Integrations built here link to their window, others to their installation. */
function useIntegrations() {
  const { data: own } = useQuery(integrationsOptions)
  const { data: installed } = useQuery(installationsOptions)
  return (clientId: string, details: AuditEntry['details']) => {
    const built = own?.find(({ id }) => id === clientId)
    const used = installed?.find(({ integration }) => integration.id === clientId)
    const name = built?.name ?? used?.integration.name ?? details.name
    if (typeof name !== 'string') return undefined
    const params = { clientId }
    if (built) return { name, target: { to: '/integrations/built/$clientId', params } as Target }
    return { name, target: used && ({ to: '/integrations/installed/$clientId', params } as Target) }
  }
}
