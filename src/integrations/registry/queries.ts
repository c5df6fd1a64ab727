import type { Db, Tx } from '../../db/database.ts'
import { forUpdate, isOneOf, lockNames } from '../../db/dialect.ts'
import { cached } from '../../db/prepared.ts'
import type {
  ConsentFormRow,
  InstallationEndingRow,
  InstallationRow,
  IntegrationIconRow,
  IntegrationRow,
} from '../../db/tables.ts'

const findClientRow = cached((db, at: { id: string }) =>
  db.selectFrom('integrations').selectAll().where('id', '=', at.id),
)

/**
 * An integration of any account, by client id. An id that is not a UUID is not queried, because PostgreSQL rejects some
 * texts.
 */
export async function findClient(db: Db, id: string): Promise<IntegrationRow | undefined> {
  if (!/^[0-9a-f-]{36}$/.test(id)) return undefined
  return (await findClientRow(db, { id }))[0]
}

/** The integrations of this account among these ids. */
export async function ownIds(db: Db, account_id: number, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('integrations')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The names of integrations, with the accounts of their developers. */
export function clientNames(
  db: Db,
  ids: string[],
): Promise<Pick<IntegrationRow, 'id' | 'account_id' | 'name'>[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db.selectFrom('integrations').select(['id', 'account_id', 'name']).where('id', 'in', ids).execute()
}

/** By the index on numbers. */
export const clientsByNumber = cached((db, at: { numbers: number[] }) =>
  db
    .selectFrom('integrations')
    .select(['number', 'id', 'account_id', 'name'])
    .where((eb) => isOneOf(db, eb.ref('number'), at.numbers)),
)

/** The integrations that have ever been installed in an account, by name. */
export const installedClients = cached((db, at: { account_id: number }) =>
  db
    .selectFrom('installations')
    .innerJoin('integrations', 'integrations.id', 'installations.integration_id')
    .where('installations.account_id', '=', at.account_id)
    .select(['integrations.id', 'integrations.account_id', 'integrations.name'])
    .orderBy('integrations.name')
    .orderBy('integrations.number'),
)

/** An integration by its number, if it is installed in the account and not disabled. */
export const activeClient = cached((db, at: { account_id: number; number: number }) =>
  db
    .selectFrom('installations')
    .innerJoin('integrations', 'integrations.id', 'installations.integration_id')
    .where('installations.account_id', '=', at.account_id)
    .where('integrations.number', '=', at.number)
    .where('installations.is_active', '=', 1)
    .select('integrations.id'),
)

/** Inserts an integration with the next number. */
export async function insertIntegration(
  tx: Tx,
  row: Omit<IntegrationRow, 'number'>,
): Promise<IntegrationRow> {
  await lockNames(tx, ['integration numbers'])
  return tx
    .insertInto('integrations')
    .values((eb) => ({
      ...row,
      number: eb
        .selectFrom('integrations')
        .select((inner) => inner(inner.fn.coalesce(inner.fn.max('number'), inner.lit(0)), '+', 1).as('next')),
    }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateIntegrationRow(
  tx: Tx,
  id: string,
  changes: Partial<IntegrationRow>,
): Promise<void> {
  await tx.updateTable('integrations').set(changes).where('id', '=', id).execute()
}

/** Stores the result of a check of a redirect URI, unless another URI or another result was stored meanwhile. */
export async function updateRedirectCheck(
  tx: Tx,
  { id, redirect_uri, redirect_failures }: IntegrationRow,
  changes: Partial<IntegrationRow>,
): Promise<void> {
  await tx
    .updateTable('integrations')
    .set(changes)
    .where('id', '=', id)
    .where('redirect_uri', '=', redirect_uri)
    .where('redirect_failures', '=', redirect_failures)
    .execute()
}

/** The number of an account's own integrations. */
export async function countOwn(db: Db, account_id: number): Promise<number> {
  const { count } = await db
    .selectFrom('integrations')
    .where('account_id', '=', account_id)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** An account's own integrations, newest first, with the type of the icon and the number of active installations. */
export function ownIntegrations(db: Db, account_id: number, id?: string) {
  return db
    .selectFrom('integrations')
    .leftJoin('integration_icons', 'integration_icons.integration_id', 'integrations.id')
    .where('integrations.account_id', '=', account_id)
    .$if(id !== undefined, (query) => query.where('integrations.id', '=', id as string))
    .selectAll('integrations')
    .select((eb) => [
      'integration_icons.type as icon_type',
      eb
        .selectFrom('installations')
        .whereRef('installations.integration_id', '=', 'integrations.id')
        .where('installations.is_active', '=', 1)
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .as('installed_in'),
    ])
    .orderBy('integrations.created_at', 'desc')
    .orderBy('integrations.id')
    .execute()
}

export function findIcon(db: Db, integration_id: string): Promise<IntegrationIconRow | undefined> {
  return db
    .selectFrom('integration_icons')
    .selectAll()
    .where('integration_id', '=', integration_id)
    .executeTakeFirst()
}

export async function putIcon(tx: Tx, icon: IntegrationIconRow): Promise<void> {
  const { type, bytes } = icon
  await tx
    .insertInto('integration_icons')
    .values(icon)
    .onConflict((conflict) => conflict.column('integration_id').doUpdateSet({ type, bytes }))
    .execute()
}

export async function deleteIcon(tx: Tx, integration_id: string): Promise<void> {
  await tx.deleteFrom('integration_icons').where('integration_id', '=', integration_id).execute()
}

/** Installations of one account with their integrations, active ones first. */
export function listInstallationRows(db: Db, account_id: number) {
  return db
    .selectFrom('installations')
    .innerJoin('integrations', 'integrations.id', 'installations.integration_id')
    .leftJoin('integration_icons', 'integration_icons.integration_id', 'integrations.id')
    .where('installations.account_id', '=', account_id)
    .selectAll('installations')
    .select([
      'integrations.name',
      'integrations.description',
      'integrations.access',
      'integrations.permissions',
      'integrations.disable_hook_url',
      'integrations.account_id as developer_id',
      'integration_icons.type as icon_type',
    ])
    .orderBy('installations.is_active', 'desc')
    .orderBy('installations.installed_at', 'desc')
    .execute()
}

/** The integrations that an account has installed and that have a disable hook, also those that are disabled. */
export function hookedIntegrations(
  db: Db,
  account_id: number,
): Promise<Pick<IntegrationRow, 'id' | 'name'>[]> {
  return db
    .selectFrom('installations')
    .innerJoin('integrations', 'integrations.id', 'installations.integration_id')
    .where('installations.account_id', '=', account_id)
    .where('integrations.disable_hook_url', 'is not', null)
    .select(['integrations.id', 'integrations.name'])
    .orderBy('integrations.id')
    .execute()
}

export function findInstallation(
  db: Db,
  account_id: number,
  integration_id: string,
): Promise<InstallationRow | undefined> {
  return db
    .selectFrom('installations')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('integration_id', '=', integration_id)
    .executeTakeFirst()
}

/** Like findInstallation, and locks the row until the transaction ends. */
export function lockInstallation(
  tx: Tx,
  account_id: number,
  integration_id: string,
): Promise<InstallationRow | undefined> {
  return tx
    .selectFrom('installations')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('integration_id', '=', integration_id)
    .modifyEnd(forUpdate(tx))
    .executeTakeFirst()
}

/** The accounts among these in which the integration is installed and active. */
export async function installedAccounts(
  db: Db,
  integration_id: string,
  account_ids: number[],
): Promise<Set<number>> {
  if (account_ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('installations')
    .select('account_id')
    .where('integration_id', '=', integration_id)
    .where('account_id', 'in', account_ids)
    .where('is_active', '=', 1)
    .execute()
  return new Set(rows.map((row) => row.account_id))
}

/** Inserts an installation. Returns false if a concurrent request was first. */
export async function insertInstallation(tx: Tx, row: InstallationRow): Promise<boolean> {
  const inserted = await tx
    .insertInto('installations')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'integration_id']).doNothing())
    .returning('account_id')
    .execute()
  return inserted.length === 1
}

export async function insertInstallationEnding(tx: Tx, row: InstallationEndingRow): Promise<void> {
  await tx.insertInto('installation_endings').values(row).execute()
}

export async function updateInstallation(
  tx: Tx,
  account_id: number,
  integration_id: string,
  changes: Partial<InstallationRow>,
): Promise<void> {
  await tx
    .updateTable('installations')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('integration_id', '=', integration_id)
    .execute()
}

/** Moves the last use forward only, because each process writes its own value. */
export async function touchInstallation(
  tx: Tx,
  { account_id, integration_id, at }: { account_id: number; integration_id: string; at: number },
): Promise<void> {
  await tx
    .updateTable('installations')
    .set({ last_used_at: at })
    .where('account_id', '=', account_id)
    .where('integration_id', '=', integration_id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
    .execute()
}

export async function insertConsentForm(tx: Tx, form: ConsentFormRow): Promise<void> {
  await tx.insertInto('consent_forms').values(form).execute()
}

/** Consumes a form, which allows one decision. Undefined if it was consumed before. */
export function takeConsentForm(tx: Tx, hash: Buffer): Promise<ConsentFormRow | undefined> {
  return tx.deleteFrom('consent_forms').where('hash', '=', hash).returningAll().executeTakeFirst()
}

export async function deleteOldConsentForms(tx: Tx, before: number): Promise<void> {
  await tx.deleteFrom('consent_forms').where('expires_at', '<', before).execute()
}

/**
 * Integrations whose redirect URI was not checked between these times, the oldest check first. A check later than `now`
 * means that the clock was ahead.
 */
export function integrationsToCheck(
  db: Db,
  { before, now }: { before: number; now: number },
  limit: number,
): Promise<IntegrationRow[]> {
  return db
    .selectFrom('integrations')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('redirect_checked_at', 'is', null),
        eb('redirect_checked_at', '<=', before),
        eb('redirect_checked_at', '>', now),
      ]),
    )
    .orderBy('redirect_checked_at')
    .limit(limit)
    .execute()
}

/** Makes another account the developer of integrations. */
export async function moveIntegrations(tx: Tx, ids: readonly string[], account_id: number): Promise<void> {
  await tx
    .updateTable('integrations')
    .set({ account_id })
    .where((eb) => isOneOf(tx, eb.ref('id'), ids))
    .execute()
}
