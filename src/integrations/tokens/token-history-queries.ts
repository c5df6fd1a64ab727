import { sql } from 'kysely'
import { memberEndings } from '../../accounts/accounts.ts'
import type { Db, Tx } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'
import { prepared } from '../../db/prepared.ts'
import type { TokenPairRow } from '../../db/tables.ts'
import { liveGrants, pairsWithNext, type Use } from './token-queries.ts'

interface PairKey {
  grant_id: string
  generation: number
}

const touch = prepared(
  (
    db,
    at: PairKey & { first_at: number; first_request_id: string; last_at: number; last_request_id: string },
  ) =>
    db
      .updateTable('token_pairs')
      .set((eb) => ({
        // 0 stays: it means that the first use is not known.
        first_used_at: eb
          .case()
          .when(isLater(at.first_at))
          .then(at.first_at)
          .else(eb.ref('first_used_at'))
          .end(),
        first_used_request_id: eb
          .case()
          .when(isLater(at.first_at))
          .then(at.first_request_id)
          .else(eb.ref('first_used_request_id'))
          .end(),
        last_used_at: at.last_at,
        last_used_request_id: at.last_request_id,
      }))
      .where('grant_id', '=', at.grant_id)
      .where('generation', '=', at.generation)
      .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', at.last_at)])),
)

const isLater = (at: number) => sql<boolean>`(first_used_at is null or first_used_at > ${at})`

/** Writes uses of a pair. Each process writes its own, so the last use only moves forward, and the first one back. */
export async function touchPair(
  tx: Tx,
  { grant_id, generation, first, last }: PairKey & { first: Use; last: Use },
): Promise<void> {
  await touch(tx, {
    grant_id,
    generation,
    first_at: first.at,
    first_request_id: first.request_id,
    last_at: last.at,
    last_request_id: last.request_id,
  })
}

/** Notes that an access token was refused, because it was sent to the address of another account. */
export async function notePairElsewhere(
  tx: Tx,
  { grant_id, generation, at, host, request_id }: PairKey & Use & { host: string },
): Promise<void> {
  await tx
    .updateTable('token_pairs')
    .set({ elsewhere_at: at, elsewhere_host: host, elsewhere_request_id: request_id })
    .where('grant_id', '=', grant_id)
    .where('generation', '=', generation)
    .where((eb) => eb.or([eb('elsewhere_at', 'is', null), eb('elsewhere_at', '<=', at)]))
    .execute()
}

/** The columns of a pair and of the next one that say what became of it. */
const historyOf = (db: Db) =>
  pairsWithNext(db).select((eb) => [
    'pair.generation',
    'pair.access_expires_at',
    'pair.refresh_expires_at',
    'pair.issued_at',
    'pair.issued_request_id',
    'pair.first_used_at',
    'pair.first_used_request_id',
    'pair.last_used_at',
    'pair.last_used_request_id',
    'pair.elsewhere_at',
    'pair.elsewhere_host',
    'pair.elsewhere_request_id',
    'pair.altered_request_id',
    eb('pair.sealed', 'is not', null).as('is_pending'),
    'child.issued_at as child_issued_at',
    'child.issued_request_id as child_request_id',
    'child.first_used_at as child_used_at',
    'child.first_used_request_id as child_used_request_id',
    eb('child.sealed', 'is not', null).as('is_child_pending'),
  ])

/** An access or refresh token, live or not, with the pair that follows it; by the unique indexes on both hashes. */
export const findTokenState = prepared((db, at: { token_hash: Buffer }) =>
  historyOf(db)
    .where((eb) =>
      eb.or([eb('pair.access_hash', '=', at.token_hash), eb('pair.refresh_hash', '=', at.token_hash)]),
    )
    .selectAll('family')
    .select((eb) => [
      'pair.access_hash',
      eb
        .exists(liveGrants(db).where('grants.id', '=', sql.ref<string>('family.id')).select('grants.id'))
        .as('is_live'),
    ]),
)
export type TokenStateRow = Awaited<ReturnType<typeof findTokenState>>[number]

/** Pairs of a family, the newest first. */
export function listPairs(
  db: Db,
  { account_id, grant_id, before }: { account_id: number; grant_id: string; before: number },
  limit: number,
) {
  return historyOf(db)
    .where('pair.grant_id', '=', grant_id)
    .where('family.account_id', '=', account_id)
    .where('pair.generation', '<', before)
    .orderBy('pair.generation', 'desc')
    .limit(limit)
    .execute()
}
export type PairHistoryRow = Awaited<ReturnType<typeof listPairs>>[number]

/** The newest pair of each of these families. */
export async function listNewestPairs(db: Db, account_id: number, grant_ids: readonly string[]) {
  if (grant_ids.length === 0) return []
  return historyOf(db)
    .where((eb) => isOneOf(db, eb.ref('pair.grant_id'), grant_ids))
    .where('family.account_id', '=', account_id)
    .where('child.generation', 'is', null)
    .select('pair.grant_id')
    .execute()
}

/** Changes the times of a pair, for the test helpers. */
export async function alterPair(
  tx: Tx,
  { account_id, grant_id, generation }: PairKey & { account_id: number },
  changes: Partial<
    Pick<TokenPairRow, 'issued_at' | 'access_expires_at' | 'refresh_expires_at' | 'altered_request_id'>
  >,
): Promise<void> {
  await tx
    .updateTable('token_pairs')
    .set(changes)
    .where('generation', '=', generation)
    .where((eb) =>
      eb(
        'grant_id',
        '=',
        eb
          .selectFrom('grants')
          .where('grants.id', '=', grant_id)
          .where('grants.account_id', '=', account_id)
          .select('grants.id'),
      ),
    )
    .execute()
}

const findDisabled = prepared((db, at: { account_id: number; integration_id: string; epoch: number }) =>
  db
    .selectFrom('installation_endings')
    .where('account_id', '=', at.account_id)
    .where('integration_id', '=', at.integration_id)
    .where('epoch', '=', at.epoch)
    .select(['at', 'ended_by', 'request_id']),
)

const findLeft = prepared((db, at: { account_id: number; user_id: number; epoch: number }) =>
  memberEndings(db)
    .where('account_id', '=', at.account_id)
    .where('user_id', '=', at.user_id)
    .where('epoch', '=', at.epoch),
)

/** Something that was granted: by a person, in an account, to an integration, in the epochs of both (A7). */
export interface Granted {
  account_id: number
  integration_id: string
  user_id: number
  installation_epoch: number
  member_epoch: number
}

/** The ends of the epochs of something that was granted: the installation was disabled, the person lost access. */
export async function epochEnds(
  db: Db,
  { account_id, integration_id, user_id, installation_epoch, member_epoch }: Granted,
): Promise<EpochEnds> {
  const [[disabled], [left]] = await Promise.all([
    findDisabled(db, { account_id, integration_id, epoch: installation_epoch }),
    findLeft(db, { account_id, user_id, epoch: member_epoch }),
  ])
  return {
    disabled_at: disabled?.at ?? null,
    disabled_by: disabled?.ended_by ?? null,
    disabled_request_id: disabled?.request_id ?? null,
    left_at: left?.at ?? null,
    left_by: left?.ended_by ?? null,
    left_request_id: left?.request_id ?? null,
    is_removal: left?.is_removal ?? null,
  }
}

export interface EpochEnds {
  disabled_at: number | null
  disabled_by: number | null
  disabled_request_id: string | null
  left_at: number | null
  left_by: number | null
  left_request_id: string | null
  is_removal: number | null
}

/** The filter and the position of a page of the families of an account. */
export interface FamilyWalk {
  integration_id?: string | undefined
  id?: string | undefined
  /** The last family of the previous page. */
  before?: { created_at: number; id: string } | undefined
}

/** Families of an account with what ended them and their newest pair, the newest first. */
export function listFamilies(db: Db, account_id: number, walk: FamilyWalk, limit: number) {
  const { integration_id, id, before } = walk
  return db
    .selectFrom('grants as family')
    .innerJoin('integrations', 'integrations.id', 'family.integration_id')
    .leftJoin('installation_endings as disabled', (join) =>
      join
        .onRef('disabled.account_id', '=', 'family.account_id')
        .onRef('disabled.integration_id', '=', 'family.integration_id')
        .onRef('disabled.epoch', '=', 'family.installation_epoch'),
    )
    .leftJoin(memberEndings(db).as('left_member'), (join) =>
      join
        .onRef('left_member.account_id', '=', 'family.account_id')
        .onRef('left_member.user_id', '=', 'family.user_id')
        .onRef('left_member.epoch', '=', 'family.member_epoch'),
    )
    .where('family.account_id', '=', account_id)
    .$if(integration_id !== undefined, (query) =>
      query.where('family.integration_id', '=', integration_id as string),
    )
    .$if(id !== undefined, (query) => query.where('family.id', '=', id as string))
    .$if(before !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('family.created_at', '<', before?.created_at as number),
          eb.and([
            eb('family.created_at', '=', before?.created_at as number),
            eb('family.id', '<', before?.id as string),
          ]),
        ]),
      ),
    )
    .selectAll('family')
    .select((eb) => [
      'integrations.name as integration_name',
      'integrations.account_id as developer_id',
      'disabled.at as disabled_at',
      'disabled.ended_by as disabled_by',
      'disabled.request_id as disabled_request_id',
      'left_member.at as left_at',
      'left_member.ended_by as left_by',
      'left_member.request_id as left_request_id',
      'left_member.is_removal',
      eb
        .exists(liveGrants(db).where('grants.id', '=', sql.ref<string>('family.id')).select('grants.id'))
        .as('is_live'),
    ])
    .orderBy('family.created_at', 'desc')
    .orderBy('family.id', 'desc')
    .limit(limit)
    .execute()
}
export type FamilyRow = Awaited<ReturnType<typeof listFamilies>>[number]
