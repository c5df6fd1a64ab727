import type { IntegrationsOfChannels } from '../chats/chats.ts'
import { findClient, lockInstallation } from './queries.ts'

/** What chat channels ask of the integrations that they belong to. */
export const integrationsOfChannels: IntegrationsOfChannels = {
  isOwn: async (db, account_id, id) => (await findClient(db, id))?.account_id === account_id,
  // Locked: who switches the installation off meanwhile waits, and then finds the connection to end it.
  isInstalled: async (tx, account_id, id) => (await lockInstallation(tx, account_id, id))?.is_active === 1,
}
