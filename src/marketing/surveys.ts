import { type Actor, selectAccount } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { AccountRow, EntityRow, SurveyRow } from '../db/tables.ts'
import { loadAccess, lockSurvivor, requireRecords } from '../entities/entities.ts'
import { type CardType, eventEntityType } from '../entities/records/entity-types.ts'
import { type Cause, recordEvents } from '../events/events.ts'
import { randomAlphanumeric } from '../secrets.ts'
import { findSurveyRow, insertSurvey, rateSurvey } from './survey-queries.ts'

/** 143 bits. */
const TOKEN_LETTERS = 24

/** Creates an address at which everybody who has it can rate once, if the actor can change the record. */
export function inviteToRate(ctx: Context, actor: Actor, type: CardType, id: number): Promise<SurveyRow> {
  return ctx.db.transaction().execute(async (tx) => {
    await requireEditable(tx, actor, type, id)
    const survey: SurveyRow = {
      token: randomAlphanumeric(TOKEN_LETTERS),
      account_id: actor.account_id,
      entity_type: type,
      entity_id: id,
      rate: null,
      created_by: actor.user_id,
      created_at: ctx.now(),
      rated_at: null,
    }
    await insertSurvey(tx, survey)
    return survey
  })
}

/** The address of a survey, on the host of its account. */
export const surveyUrl = (ctx: Context, subdomain: string, { token }: SurveyRow): string =>
  `${ctx.hosts.accountUrl(subdomain)}/survey/${token}`

/** Records a rating that was given elsewhere, if the actor can change the record. */
export async function addRate(
  ctx: Context,
  actor: Actor,
  type: CardType,
  id: number,
  rate: number,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const row = await requireEditable(tx, actor, type, id)
    await recordRate(ctx, tx, actor, row, rate)
  })
}

export interface OpenSurvey {
  survey: SurveyRow
  account: AccountRow
}

/** The survey, if it exists and the requested host belongs to its account or to no account. */
export async function findSurvey(
  ctx: Context,
  token: string,
  subdomain: string | null,
): Promise<OpenSurvey | undefined> {
  const survey = await findSurveyRow(ctx.db, token)
  if (!survey) return undefined
  const account = await selectAccount(ctx.db).where('id', '=', survey.account_id).executeTakeFirstOrThrow()
  return (subdomain ?? account.subdomain) === account.subdomain ? { survey, account } : undefined
}

/** Records the first answer on the record, without an author. Later answers change nothing. */
export async function answerSurvey(
  ctx: Context,
  survey: SurveyRow,
  rate: number,
  request_id: string,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await rateSurvey(tx, survey, rate, ctx.now()))) return
    const { account_id, entity_type, entity_id } = survey
    const row = await lockSurvivor(tx, account_id, entity_type, entity_id)
    if (row) await recordRate(ctx, tx, { account_id, user_id: 0, request_id }, row, rate)
  })
}

async function requireEditable(tx: Tx, actor: Actor, type: CardType, id: number): Promise<EntityRow> {
  const named = { entity_type: type, id, request_id: '0', path: 'id' }
  const [row] = await requireRecords(tx, await loadAccess(tx, actor), 'edit', [named], 'path')
  return row as EntityRow
}

async function recordRate(ctx: Context, tx: Tx, by: Cause, row: EntityRow, rate: number): Promise<void> {
  await recordEvents(ctx, tx, by, [
    {
      type: 'nps_rate_added',
      entity_type: eventEntityType(row),
      entity_id: row.id,
      after: [{ nps: { rate } }],
    },
  ])
}
