import type { IntegrationsOfChannels } from '../../chats/chats.ts'
import { findClient, lockInstallation } from './queries.ts'

/** Data about the integrations that own chat channels. */
export const integrationsOfChannels: IntegrationsOfChannels = {
  ownNumber: async (db, account_id, id) => {
    const integration = await findClient(db, id)
    return integration?.account_id === account_id ? integration.number : null
  },
  // Locks the installation. A concurrent deactivation waits and then also ends the new connection.
  isInstalled: async (tx, account_id, id) => (await lockInstallation(tx, account_id, id))?.is_active === 1,
}
