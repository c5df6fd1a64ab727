import { isDeepStrictEqual } from 'node:util'
import { type Actor, auditAs, lockAccount, requireAdmin, setHelpbotEnabled } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { nextId } from '../../db/dialect.ts'
import type { AccountRow, ChatIntentRow } from '../../db/tables.ts'
import { type Fault, Refusal } from '../../errors.ts'
import { self } from '../../http/hal.ts'
import { deleteIntent, insertIntent, listIntentRows, replaceIntent } from './intent-queries.ts'
import { type Intent, type IntentPatch, type NewIntent, PHRASE_LETTERS } from './intent-schemas.ts'
import { hasWords } from './phrases.ts'

export const MOST_INTENTS = 200

/** All intents of the account, the oldest first, for administrators. */
export async function listIntents(ctx: Context, actor: Actor): Promise<ChatIntentRow[]> {
  requireAdmin(actor)
  return listIntentRows(ctx.db, actor.account_id)
}

export async function readIntent(ctx: Context, actor: Actor, id: number): Promise<ChatIntentRow> {
  return pick(await listIntents(ctx, actor), id)
}

function pick(intents: ChatIntentRow[], id: number): ChatIntentRow {
  const found = intents.find((intent) => intent.id === id)
  if (!found) throw new Refusal('not_found', 'There is no such intent in this account.')
  return found
}

/** Adds an intent. The first one switches the bot on. */
export function addIntent(ctx: Context, actor: Actor, draft: NewIntent): Promise<ChatIntentRow> {
  return administrate(ctx, actor, async (tx, account, intents) => {
    if (intents.length >= MOST_INTENTS)
      throw new Refusal('conflict', `An account has ${MOST_INTENTS} intents at most.`, {
        code: 'intent_limit',
      })
    const now = ctx.now()
    const row: ChatIntentRow = {
      account_id: account.id,
      id: await nextId(tx, 'chat_intents'),
      name: draft.name,
      phrases: '[]',
      answer: draft.answer,
      created_at: now,
      created_by: actor.user_id,
      updated_at: now,
      updated_by: actor.user_id,
    }
    write(row, draft)
    await insertIntent(tx, row)
    await setHelpbotEnabled(tx, account, true)
    await auditAs(ctx, tx, actor, 'intent.added', { id: row.id, name: row.name })
    return row
  })
}

/** Changes the given members. */
export function changeIntent(
  ctx: Context,
  actor: Actor,
  id: number,
  patch: IntentPatch,
): Promise<ChatIntentRow> {
  return administrate(ctx, actor, async (tx, _account, intents) => {
    const before = pick(intents, id)
    const row = { ...before }
    write(row, patch)
    if (isDeepStrictEqual(row, before)) return before
    row.updated_at = ctx.now()
    row.updated_by = actor.user_id
    await replaceIntent(tx, row)
    const changed = (['name', 'phrases', 'answer'] as const).filter((name) => row[name] !== before[name])
    await auditAs(ctx, tx, actor, 'intent.changed', { id, name: row.name, changed })
    return row
  })
}

/** Removes an intent. Removing the last one switches the bot off. Events keep the id of the intent. */
export async function removeIntent(ctx: Context, actor: Actor, id: number): Promise<void> {
  await administrate(ctx, actor, async (tx, account, intents) => {
    const intent = pick(intents, id)
    await deleteIntent(tx, intent)
    await setHelpbotEnabled(tx, account, intents.length > 1)
    await auditAs(ctx, tx, actor, 'intent.removed', { id, name: intent.name })
  })
}

/** Changes are serialised, so that the number of intents stays within its limit. */
function administrate<T>(
  ctx: Context,
  actor: Actor,
  change: (tx: Tx, account: AccountRow, intents: ChatIntentRow[]) => Promise<T>,
): Promise<T> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, actor.account_id)
    return change(tx, account, await listIntentRows(tx, account.id))
  })
}

function write(row: ChatIntentRow, { name, phrases, answer }: IntentPatch): void {
  const trimmed = phrases?.map((phrase) => phrase.trim())
  const faults = [...(trimmed?.flatMap(phraseFaults) ?? []), ...answerFaults(answer)]
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
  if (name !== undefined) row.name = name
  if (trimmed) row.phrases = JSON.stringify(trimmed)
  if (answer !== undefined) row.answer = answer
}

function phraseFaults(phrase: string, i: number): Fault[] {
  const fault = (code: Fault['code'], detail: string): Fault[] => [
    { request_id: '0', path: `phrases.${i}`, code, detail },
  ]
  if (phrase === '') return fault('NotBlank', 'This value should not be blank.')
  if ([...phrase].length > PHRASE_LETTERS)
    return fault('TooLong', `This value is too long. It should have ${PHRASE_LETTERS} characters or less.`)
  return hasWords(phrase) ? [] : fault('InvalidFormat', 'This value has no letter and no digit.')
}

const answerFaults = (answer: string | undefined): Fault[] =>
  answer === undefined || answer.trim() !== ''
    ? []
    : [{ request_id: '0', path: 'answer', code: 'NotBlank', detail: 'This value should not be blank.' }]

/** An intent in a response; `base` is the URL of the surface. */
export const intentView = ({ account_id, phrases, ...row }: ChatIntentRow, base: string): Intent => ({
  ...row,
  phrases: JSON.parse(phrases),
  account_id,
  _links: self(`${base}/chats/intents/${row.id}`),
})
