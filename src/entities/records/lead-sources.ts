import type { Actor } from '../../accounts/accounts.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { SourceRow } from '../../db/tables.ts'
import { collectFaults, noSuch } from '../../errors.ts'
import { nameOfItem } from '../../http/bodies/validation.ts'

/** A source of leads, which belongs to an integration. */
export type LeadSource = Pick<SourceRow, 'id' | 'name' | 'external_id' | 'pipeline_id'>

/** Finds the sources of leads. They belong to a higher slice. */
export interface LeadSources {
  /** The sources of the calling integration with these external ids. */
  named(db: Db, actor: Actor, external_ids: readonly string[]): Promise<LeadSource[]>
  /** The sources of the account with these ids. */
  byId(db: Db, account_id: number, ids: readonly number[]): Promise<LeadSource[]>
}

/** The source of the new lead at a place; undefined if it names none. */
export type SourceOf = (place: number) => LeadSource | undefined

interface Draft {
  request_id?: string | number | undefined
  _embedded?: { source?: { external_id?: string | undefined } | undefined } | null | undefined
}

/** The sources that new leads name (R26). Throws Refusal('invalid') if the calling integration has no such source. */
export async function findSourcesOf(
  tx: Tx,
  actor: Actor,
  drafts: readonly Draft[],
  sources: LeadSources,
): Promise<SourceOf> {
  const wanted = drafts.map(({ _embedded }) => _embedded?.source?.external_id)
  const external_ids = [...new Set(wanted.flatMap((name) => name ?? []))]
  if (external_ids.length === 0) return () => undefined
  const rows = await sources.named(tx, actor, external_ids)
  const known = new Map(rows.map((source) => [source.external_id, source]))
  const { about, refuse } = collectFaults()
  for (const [i, name] of wanted.entries())
    if (name !== undefined && !known.has(name))
      about(nameOfItem(drafts[i], i))('NotSupportedChoice', '_embedded.source.external_id', noSuch('source'))
  refuse()
  return (place) => known.get(wanted[place] ?? '')
}
