import type { LeadSources } from '../../entities/entities.ts'
import { sourcesNamed, sourcesWithIds } from './source-queries.ts'

/** The sources that leads come from. A person in the web application has none of their own. */
export const sourcesOfLeads: LeadSources = {
  named: async (db, { account_id, integration }, external_ids) =>
    integration === null ? [] : sourcesNamed(db, account_id, [integration.id], external_ids),
  byId: sourcesWithIds,
}
