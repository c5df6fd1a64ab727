import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { freeSpace } from '../db/free-space.ts'
import { buildIndexes } from '../db/indexes/index-upkeep.ts'
import { measureDatabase } from '../db/sizes.ts'
import { type KindName, kindNames } from '../retention/kind-types.ts'
import {
  createRetention,
  type Forecast,
  forecast,
  periodsOf,
  planNow,
  readRun,
} from '../retention/retention.ts'
import { bytesText } from './bytes-text.ts'
import { withContext } from './open.ts'
import { showProgress } from './progress.ts'
import { accountOf } from './requests.ts'
import type { Command } from './run.ts'

const POLL_MS = 500

export const retention: Command = {
  name: 'retention',
  summary:
    'Print what the account would have deleted by its settings of data retention. Deletes nothing without --apply.',
  options: {
    account: { value: 'SUBDOMAIN', description: 'the account, if there are several' },
    apply: { description: 'delete now, while the server runs or not' },
  },
  run: ({ account, apply }) =>
    withContext(async (ctx) => {
      const account_id = await accountOf(ctx, account)
      const periods = await periodsOf(ctx.db, account_id)
      const forecasts = await forecast(ctx, account_id, periods, Number.POSITIVE_INFINITY)
      for (const kind of kindNames) process.stdout.write(lineOf(kind, forecasts))
      if (apply === undefined)
        process.stdout.write('Nothing was deleted. "patchbay retention --apply" deletes these rows.\n')
      else await deleteNow(ctx, account_id)
    }),
}

function lineOf(kind: KindName, forecasts: readonly Forecast[]): string {
  const found = forecasts.find((one) => one.kind === kind)
  if (!found) return `${kind.padEnd(9)} kept for ever\n`
  const { days, rows, kept, oldest_at, bytes } = found
  const oldest = oldest_at === null ? '' : `, the oldest of ${dayOf(oldest_at)}`
  const size = rows === 0 ? '' : `, about ${bytesText(bytes)}`
  const others = kept === 0 ? '' : `; ${kept} stay, because others need them`
  return `${kind.padEnd(9)} kept for ${days} days: ${rows} would go${oldest}${size}${others}\n`
}

const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** Deletes, or waits for the server that is deleting, and frees the space. */
async function deleteNow(ctx: Context, account_id: number): Promise<void> {
  await buildIndexes(ctx, (left) => showProgress('indexes left', left))
  const before = await measureDatabase(ctx.db)
  const began = ctx.now()
  await ctx.db.transaction().execute((tx) => planNow(tx, account_id, began))
  const runner = createRetention(ctx)
  for (;;) {
    await runner.runDue()
    const { state, ended_at, deleted } = await readRun(ctx, account_id)
    showProgress(
      'deleted',
      Object.values(deleted).reduce((sum, count) => sum + count, 0),
    )
    if (state === 'ended' && (ended_at ?? 0) >= began) break
    await sleep(POLL_MS)
  }
  await freeSpace(ctx.db)
  const after = await measureDatabase(ctx.db)
  const { deleted } = await readRun(ctx, account_id)
  for (const [kind, count] of Object.entries(deleted)) process.stdout.write(`${count} ${kind} deleted\n`)
  if (Object.keys(deleted).length === 0) process.stdout.write('Nothing was old enough.\n')
  const used = ({ bytes, free_bytes }: typeof before) => bytes - free_bytes
  process.stdout.write(
    `The database uses ${bytesText(used(after))}, ${bytesText(Math.max(used(before) - used(after), 0))} less than before. ` +
      `${bytesText(after.free_bytes)} of its file are free.\n`,
  )
}
