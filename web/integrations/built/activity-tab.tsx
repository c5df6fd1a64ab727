import { useParams } from '@tanstack/react-router'
import { IntegrationActivity } from '../../events/integration-activity.tsx'

/** The activity in this account of the integration of the open page, whether it was built here or installed. */
export function ActivityTab() {
  const { clientId = '' } = useParams({ strict: false })
  return <IntegrationActivity key={clientId} id={clientId} />
}
