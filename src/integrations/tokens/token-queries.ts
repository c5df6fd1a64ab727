import { sql } from 'kysely'
import { accountSubdomain, activeMembers } from '../../accounts/accounts.ts'
import type { Db, Tx } from '../../db/database.ts'
import { cached, prepared, preparedWrite } from '../../db/prepared.ts'
import type { AuthorizationCodeRow, ElsewhereColumns, GrantRow, TokenPairRow } from '../../db/tables.ts'
import type { RevocationCause } from './token-reason-types.ts'
import type { RenewedPair } from './tokens.ts'

/**
 * Valid grants with their members: not revoked, and the installation and the member have been active since. The epochs
 * replace a list of revocations (A7).
 */
export function liveGrants(db: Db) {
  return db
    .selectFrom('grants')
    .innerJoin('installations', (join) =>
      join
        .onRef('installations.account_id', '=', 'grants.account_id')
        .onRef('installations.integration_id', '=', 'grants.integration_id')
        .onRef('installations.epoch', '=', 'grants.installation_epoch'),
    )
    .innerJoin(activeMembers(db).as('member'), (join) =>
      join
        .onRef('member.account_id', '=', 'grants.account_id')
        .onRef('member.user_id', '=', 'grants.user_id')
        .onRef('member.member_epoch', '=', 'grants.member_epoch'),
    )
    .where('installations.is_active', '=', 1)
    .where('grants.revoked_at', 'is', null)
}

const integrationNumber = (db: Db) =>
  db
    .selectFrom('integrations')
    .where('integrations.id', '=', sql.ref<string>('grants.integration_id'))
    .select('integrations.number')
    .$asScalar()
    .$notNull()

/** By the unique index on access_hash: the only query of a bearer call. */
export const findBearer = cached((db, at: { access_hash: Buffer }) =>
  liveGrants(db)
    .innerJoin('token_pairs', 'token_pairs.grant_id', 'grants.id')
    .where('token_pairs.access_hash', '=', at.access_hash)
    .selectAll('member')
    .select((eb) => [
      'grants.id as grant_id',
      'grants.integration_id',
      integrationNumber(db).as('integration_number'),
      'grants.scopes',
      'token_pairs.generation',
      'token_pairs.access_expires_at',
      eb('token_pairs.sealed', 'is not', null).as('is_pending'),
    ]),
)

/** A valid consent of an account with its member; by the primary key of grants. */
export const findLiveGrant = prepared((db, at: { account_id: number; grant_id: string }) =>
  liveGrants(db)
    .where('grants.id', '=', at.grant_id)
    .where('grants.account_id', '=', at.account_id)
    .selectAll('member')
    .select([
      'grants.id as grant_id',
      'grants.integration_id',
      integrationNumber(db).as('integration_number'),
      'grants.scopes',
    ]),
)

/** The expiry of an access token, also of an invalid grant; by the unique index on access_hash. */
export const findAccess = prepared((db, at: { access_hash: Buffer }) =>
  db.selectFrom('token_pairs').where('access_hash', '=', at.access_hash).select('access_expires_at'),
)

/** Pairs with their grants, and with the next pair if there is one. */
export const pairsWithNext = (db: Db) =>
  db
    .selectFrom('token_pairs as pair')
    .innerJoin('grants as family', 'family.id', 'pair.grant_id')
    .leftJoin('token_pairs as child', (join) =>
      join
        .onRef('child.grant_id', '=', 'pair.grant_id')
        .on((eb) => eb('child.generation', '=', eb('pair.generation', '+', 1))),
    )

/** By the unique index on refresh_hash, with the next generation if there is one. */
export const findRefresh = prepared((db, at: { refresh_hash: Buffer }) =>
  pairsWithNext(db)
    .where('pair.refresh_hash', '=', at.refresh_hash)
    .select((eb) => [
      'family.id as grant_id',
      'family.account_id',
      'family.integration_id',
      'family.user_id',
      'family.scopes',
      'pair.generation',
      'pair.refresh_expires_at',
      accountSubdomain(db, 'family.account_id').as('subdomain'),
      eb('pair.sealed', 'is not', null).as('is_pending'),
      'child.generation as child_generation',
      'child.sealed as child_sealed',
      'child.access_expires_at as child_expires_at',
      eb
        .exists(liveGrants(db).where('grants.id', '=', sql.ref<string>('family.id')).select('grants.id'))
        .as('is_live'),
    ]),
)
export type RefreshRow = Awaited<ReturnType<typeof findRefresh>>[number]

/** The family of an access or refresh token, live or not; by the unique indexes on both hashes. */
export const findFamily = prepared((db, at: { token_hash: Buffer }) =>
  db
    .selectFrom('token_pairs')
    .innerJoin('grants', 'grants.id', 'token_pairs.grant_id')
    .where((eb) => eb.or([eb('access_hash', '=', at.token_hash), eb('refresh_hash', '=', at.token_hash)]))
    .select(['grants.id as grant_id', 'grants.account_id', 'grants.integration_id']),
)

/** By the primary key, with whether the installation and the member are unchanged since the code was issued. */
export const findCode = prepared((db, at: { hash: Buffer }) =>
  db
    .selectFrom('authorization_codes as code')
    .where('code.hash', '=', at.hash)
    .selectAll('code')
    .select((eb) => [
      accountSubdomain(db, 'code.account_id').as('subdomain'),
      eb
        .exists(
          db
            .selectFrom('installations')
            .innerJoin(activeMembers(db).as('member'), 'member.account_id', 'installations.account_id')
            .where('installations.account_id', '=', sql.ref<number>('code.account_id'))
            .where('installations.integration_id', '=', sql.ref<string>('code.integration_id'))
            .where('installations.epoch', '=', sql.ref<number>('code.installation_epoch'))
            .where('installations.is_active', '=', 1)
            .where('member.user_id', '=', sql.ref<number>('code.user_id'))
            .where('member.member_epoch', '=', sql.ref<number>('code.member_epoch'))
            .select('installations.epoch'),
        )
        .as('is_live'),
    ]),
)
export type CodeRow = Awaited<ReturnType<typeof findCode>>[number]

/** A code that is issued now, before any use. */
export type NewCodeRow = Omit<
  AuthorizationCodeRow,
  'consumed_at' | 'consumed_request_id' | 'grant_id' | keyof ElsewhereColumns
>

export async function insertCode(tx: Tx, code: NewCodeRow): Promise<void> {
  await tx.insertInto('authorization_codes').values(code).execute()
}

/** The use of a code or a pair: when, and by which request. */
export interface Use {
  at: number
  request_id: string
}

const consume = prepared((db, code: { hash: Buffer; grant_id: string } & Use) =>
  db
    .updateTable('authorization_codes')
    .set({ consumed_at: code.at, consumed_request_id: code.request_id, grant_id: code.grant_id })
    .where('hash', '=', code.hash)
    .where('consumed_at', 'is', null)
    .returning('hash'),
)

/** Consumes a code. Of several concurrent calls, exactly one returns true. */
export async function consumeCode(tx: Tx, code: { hash: Buffer; grant_id: string } & Use): Promise<boolean> {
  return (await consume(tx, code)).length === 1
}

/** Notes that a code was refused, because it was sent to the address of another account. */
export async function noteCodeElsewhere(
  tx: Tx,
  { hash, at, host, request_id }: { hash: Buffer; host: string } & Use,
): Promise<void> {
  await tx
    .updateTable('authorization_codes')
    .set({ elsewhere_at: at, elsewhere_host: host, elsewhere_request_id: request_id })
    .where('hash', '=', hash)
    .execute()
}

export const insertGrant = preparedWrite((db, grant: GrantRow) =>
  db.insertInto('grants').values({
    id: grant.id,
    account_id: grant.account_id,
    integration_id: grant.integration_id,
    user_id: grant.user_id,
    installation_epoch: grant.installation_epoch,
    member_epoch: grant.member_epoch,
    scopes: grant.scopes,
    long_lived: grant.long_lived,
    created_at: grant.created_at,
    revoked_at: grant.revoked_at,
    revoked_for: grant.revoked_for,
    revoked_by: grant.revoked_by,
    revoked_request_id: grant.revoked_request_id,
  }),
)

/** A pair that is issued now, before any use. */
export type NewPairRow = Pick<
  TokenPairRow,
  | 'grant_id'
  | 'generation'
  | 'access_hash'
  | 'access_expires_at'
  | 'refresh_hash'
  | 'refresh_expires_at'
  | 'issued_at'
  | 'sealed'
> & { issued_request_id: string }

const pairInsert = (db: Db, pair: NewPairRow) =>
  db.insertInto('token_pairs').values({
    grant_id: pair.grant_id,
    generation: pair.generation,
    access_hash: pair.access_hash,
    access_expires_at: pair.access_expires_at,
    refresh_hash: pair.refresh_hash,
    refresh_expires_at: pair.refresh_expires_at,
    issued_at: pair.issued_at,
    sealed: pair.sealed,
    issued_request_id: pair.issued_request_id,
  })

/** Inserts the first pair of a new family. */
export const insertFirstPair = preparedWrite(pairInsert)

const insertChild = prepared((db, pair: NewPairRow) =>
  pairInsert(db, pair)
    .onConflict((conflict) => conflict.columns(['grant_id', 'generation']).doNothing())
    .returning('generation'),
)

/** Inserts the next generation of a family. Returns false if a concurrent request was first. */
export async function insertNextPair(tx: Tx, pair: NewPairRow): Promise<boolean> {
  return (await insertChild(tx, pair)).length === 1
}

const renewPairRow = prepared(
  (
    db,
    pair: {
      grant_id: string
      generation: number
      ended_at: number
      access_hash: Buffer
      access_expires_at: number
      sealed: Buffer
    },
  ) =>
    db
      .updateTable('token_pairs')
      .set({
        access_hash: pair.access_hash,
        access_expires_at: pair.access_expires_at,
        sealed: pair.sealed,
      })
      .where('grant_id', '=', pair.grant_id)
      .where('generation', '=', pair.generation)
      .where('access_expires_at', '=', pair.ended_at)
      .where('sealed', 'is not', null)
      .returning('generation'),
)

/**
 * Replaces the access token of an unused pair that expired at `ended_at`. Returns false if the pair was used, or a
 * concurrent request was first.
 */
export async function renewPair(
  tx: Tx,
  pair: { grant_id: string; generation: number; ended_at: number } & RenewedPair,
): Promise<boolean> {
  return (await renewPairRow(tx, pair)).length === 1
}

const unsealPair = preparedWrite((db, pair: { grant_id: string; generation: number } & Use) =>
  db
    .updateTable('token_pairs')
    .set({ sealed: null, first_used_at: pair.at, first_used_request_id: pair.request_id })
    .where('grant_id', '=', pair.grant_id)
    .where('generation', '=', pair.generation)
    .where('sealed', 'is not', null),
)

/** Marks the pair as used. It cannot be returned again, and its parent is refused from now on (A6). */
export async function markUsed(
  tx: Tx,
  { grant_id, generation }: { grant_id: string; generation: number },
  { at, request_id }: Use,
): Promise<void> {
  await unsealPair(tx, { grant_id, generation, at, request_id })
}

/** Why, when, by whom (0: no person) and by which request a family is revoked. */
export interface Revocation extends Use {
  why: RevocationCause
  by: number
}

/** Returns true for the one call that revokes the family. */
export async function revokeGrant(
  tx: Tx,
  account_id: number,
  id: string,
  { why, at, by, request_id }: Revocation,
): Promise<boolean> {
  const revoked = await tx
    .updateTable('grants')
    .set({ revoked_at: at, revoked_for: why, revoked_by: by, revoked_request_id: request_id })
    .where('id', '=', id)
    .where('account_id', '=', account_id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  return revoked.length === 1
}

/** Valid grants of an account with an unexpired token, newest first, with the expiry. */
export function listLiveGrants(db: Db, account_id: number, now: number) {
  return liveGrants(db)
    .innerJoin('token_pairs', 'token_pairs.grant_id', 'grants.id')
    .where('grants.account_id', '=', account_id)
    .groupBy([
      'grants.id',
      'grants.integration_id',
      'grants.user_id',
      'grants.scopes',
      'grants.long_lived',
      'grants.created_at',
    ])
    .select((eb) => [
      'grants.id',
      'grants.integration_id',
      'grants.user_id',
      'grants.scopes',
      'grants.long_lived',
      'grants.created_at',
      eb.fn
        .max(eb.fn.coalesce('token_pairs.refresh_expires_at', 'token_pairs.access_expires_at'))
        .as('expires_at'),
    ])
    .having((eb) =>
      eb(
        eb.fn.max(eb.fn.coalesce('token_pairs.refresh_expires_at', 'token_pairs.access_expires_at')),
        '>',
        now,
      ),
    )
    .orderBy('grants.created_at', 'desc')
    .execute()
}

export function findGrant(
  db: Db,
  account_id: number,
  integration_id: string,
  id: string,
): Promise<GrantRow | undefined> {
  return db
    .selectFrom('grants')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', account_id)
    .where('integration_id', '=', integration_id)
    .executeTakeFirst()
}

/** Deletes codes that expired before this time. Until then a replay is detected. */
export async function deleteOldCodes(tx: Tx, before: number): Promise<void> {
  await tx.deleteFrom('authorization_codes').where('expires_at', '<', before).execute()
}

/**
 * Deletes pairs whose tokens all expired before this time, and short-lived tokens. Long-lived ones are few, and a caller that
 * still uses one should learn that it has expired.
 */
export async function deleteOldPairs(tx: Tx, before: number): Promise<void> {
  const shortLived = tx
    .selectFrom('grants')
    .where('grants.id', '=', sql.ref<string>('token_pairs.grant_id'))
    .where('grants.long_lived', 'is', null)
    .select('grants.id')
  await tx
    .deleteFrom('token_pairs')
    .where((eb) =>
      eb.or([
        eb('refresh_expires_at', '<', before),
        eb.and([eb('refresh_expires_at', 'is', null), eb.exists(shortLived)]),
      ]),
    )
    .where('access_expires_at', '<', before)
    .execute()
}
