import { findLastAudit } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { Refusal } from '../../errors.ts'
import { idNamed, nameIn } from '../registry/handles.ts'
import { familyEnd } from '../tokens/token-endings.ts'
import { findFaults } from '../tokens/token-fault-queries.ts'
import { type FamilyRow, listFamilies, listNewestPairs, listPairs } from '../tokens/token-history-queries.ts'
import { endsOf, pairHistory, shownPair, type UsesByPair } from './pairs.ts'
import { type Names, namesOf, personOf, shownEnd } from './people.ts'
import type { FamilyHistory, FamilyPage, FamilyQuery, PairQuery } from './schemas.ts'

/**
 * The uses of the tokens of a consent that the request log has, and whether it records. The log is above this slice, so the
 * surface passes this in.
 */
export type UsesInLog = (
  ctx: Context,
  account_id: number,
  grant_id: string,
) => Promise<{ is_recording: boolean; uses: UsesByPair }>

/** A page of the families of tokens in an account, the newest consent first. */
export async function readFamilies(
  ctx: Context,
  account_id: number,
  { integration, before, limit }: FamilyQuery,
): Promise<FamilyPage> {
  const [created_at, id] = before?.split('_') ?? []
  const integration_id = integration && (await idNamed(ctx, integration))
  const walk = { integration_id, before: id ? { created_at: Number(created_at), id } : undefined }
  const found = await listFamilies(ctx.db, account_id, walk, limit + 1)
  const page = found.slice(0, limit)
  const newest = await listNewestPairs(
    ctx.db,
    account_id,
    page.map((row) => row.id),
  )
  const pairs = new Map(newest.map((row) => [row.grant_id, row]))
  const histories = page.map((row) => {
    const pair = pairs.get(row.id)
    return pair && pairHistory(ctx, row.id, pair, { family: endOf(row) })
  })
  const names = await namesOf(
    ctx.db,
    [...page.map(endOf), ...histories.flatMap((one) => (one ? endsOf(one) : []))],
    page.map(({ user_id }) => user_id),
  )
  const last = page.at(-1)
  return {
    families: page.map((row, i) => {
      const history = histories[i]
      return {
        ...shownFamily(ctx, account_id, row, names),
        newest: history ? shownPair(history, names) : null,
      }
    }),
    next: found.length > limit && last ? `${last.created_at}_${last.id}` : null,
    can_alter: ctx.config.test_helpers,
  }
}

/** One family with its pairs, the newest first. Throws Refusal('not_found'). */
export async function readFamily(
  ctx: Context,
  account_id: number,
  grant_id: string,
  { before, limit }: PairQuery,
  usesInLog: UsesInLog,
): Promise<FamilyHistory> {
  const row = await familyOf(ctx.db, account_id, grant_id)
  const [found, { is_recording, uses }, secret, faults] = await Promise.all([
    listPairs(ctx.db, { account_id, grant_id, before }, limit + 1),
    usesInLog(ctx, account_id, grant_id),
    regeneratedSince(ctx, row),
    findFaults(ctx.db, { grant_id }),
  ])
  const page = found.slice(0, limit)
  const family = endOf(row)
  const histories = page.map((pair) => pairHistory(ctx, grant_id, pair, { family, logged: uses }))
  const others = [row.user_id, secret?.user_id ?? 0]
  const names = await namesOf(ctx.db, [family, ...histories.flatMap(endsOf)], others)
  const isOwn = row.developer_id === account_id
  return {
    ...shownFamily(ctx, account_id, row, names),
    pairs: histories.map((one) => shownPair(one, names)),
    next: found.length > limit ? (page.at(-1)?.generation ?? null) : null,
    // Other accounts do not learn who works in the developer account.
    secret_regenerated: secret && { at: secret.at, by: isOwn ? personOf(names, secret.user_id) : null },
    uses_are_exact: is_recording || (ctx.config.workers === 1 && !isPostgres(ctx.db)),
    faults: faults
      .filter(({ expires_at }) => expires_at > ctx.now())
      .map(({ kind, expires_at }) => ({ kind, expires_at })),
    can_alter: ctx.config.test_helpers,
  }
}

/** A family of the account. Throws Refusal('not_found'). */
export async function familyOf(db: Db, account_id: number, id: string): Promise<FamilyRow> {
  const [row] = await listFamilies(db, account_id, { id }, 1)
  if (!row) throw new Refusal('not_found', 'There are no tokens with this id in this account.')
  return row
}

/** The end of a family; null while it is live. */
export const endOf = (row: FamilyRow) => (row.is_live ? null : familyEnd(row))

/** The last time that the secret was regenerated since the consent. The developer account has it in its audit log. */
async function regeneratedSince(ctx: Context, { developer_id, integration_id, created_at }: FamilyRow) {
  const last = await findLastAudit(ctx.db, developer_id, integration_id, 'integration.secret_regenerated')
  return last && last.at >= created_at ? last : null
}

function shownFamily(ctx: Context, account_id: number, row: FamilyRow, names: Names) {
  const { id, integration_id, integration_name, developer_id, user_id, long_lived, scopes, created_at } = row
  return {
    id,
    integration: {
      id: nameIn(ctx, account_id, { id: integration_id, account_id: developer_id }),
      name: integration_name,
    },
    user: { id: user_id, name: names.get(user_id) ?? '' },
    long_lived,
    scopes: JSON.parse(scopes) as string[],
    created_at,
    end: shownEnd(endOf(row), names),
  }
}
