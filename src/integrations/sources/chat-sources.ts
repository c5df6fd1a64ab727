import type { SourcesOfChats } from '../../chats/chats.ts'
import { sourcesNamed, sourcesOf } from './source-queries.ts'

/** The sources that providers name in their pushes. */
export const sourcesOfChats: SourcesOfChats = {
  async sourceFor(db, account_id, { integration_id, external_id }) {
    const rows = await sourcesOf(db, account_id, integration_id)
    return rows.find((row) => row.external_id === external_id) ?? rows.find((row) => row.is_default === 1)
  },
  async findSourceIds(db, account_id, named) {
    if (named.length === 0) return []
    const rows = await sourcesNamed(
      db,
      account_id,
      [...new Set(named.map((one) => one.integration_id))],
      [...new Set(named.map((one) => one.external_id))],
    )
    const ids = new Map(rows.map((row) => [`${row.integration_id} ${row.external_id}`, row.id]))
    return named.map(({ integration_id, external_id }) => ids.get(`${integration_id} ${external_id}`) ?? null)
  },
  listSourceIds: async (db, account_id, integration_id) =>
    (await sourcesOf(db, account_id, integration_id)).map(({ id }) => id),
}
