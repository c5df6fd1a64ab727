import type { Pipeline } from '../src/pipelines/schemas.ts'
import type { Answer } from './client.ts'
import type { World } from './world.ts'

export const PIPELINES = '/web/v4/leads/pipelines'

/** The body of another pipeline. */
export const wholesale = { name: 'Wholesale', sort: 20, is_main: false, is_unsorted_on: true }

export async function pipelinesOf({ admin }: World): Promise<Pipeline[]> {
  return (await admin.browser.get(PIPELINES)).body._embedded.pipelines
}

export async function mainPipeline(world: World): Promise<Pipeline> {
  return (await pipelinesOf(world)).find(({ is_main }) => is_main) as Pipeline
}

/** Adds pipelines as the administrator. Throws if they are refused. */
export async function addPipelines<Drafts extends object[]>(
  { admin }: World,
  ...drafts: Drafts
): Promise<{ [Index in keyof Drafts]: Pipeline }> {
  const answer = await admin.browser.post(PIPELINES, drafts)
  if (answer.status !== 200) throw new Error(`not added: ${answer.text}`)
  return answer.body._embedded.pipelines
}

/** Everything that a refused change of these settings must not change. */
export async function settingsOf({ ctx }: World) {
  const pipelines = await ctx.db.selectFrom('pipelines').selectAll().orderBy('id').execute()
  const stages = await ctx.db
    .selectFrom('statuses')
    .selectAll()
    .orderBy('pipeline_id')
    .orderBy('id')
    .execute()
  const reasons = await ctx.db.selectFrom('loss_reasons').selectAll().orderBy('id').execute()
  const customers = await ctx.db.selectFrom('customer_statuses').selectAll().orderBy('id').execute()
  const accounts = await ctx.db.selectFrom('accounts').selectAll().orderBy('id').execute()
  const log = await ctx.db.selectFrom('audit_log').select(['action', 'details']).orderBy('id').execute()
  return { pipelines, stages, reasons, customers, accounts, log }
}

/** A refusal: its status and its documented code. */
export const refusalOf = ({ status, body }: Answer) => [status, body.type?.split('#')[1]]

/** A refused body: its status and the faults of each item. */
export const faultsOf = ({ status, body }: Answer) => [
  status,
  body['validation-errors'].map(
    ({ request_id, errors }: { request_id: string; errors: { code: string; path: string }[] }) => [
      request_id,
      ...errors.map(({ code, path }) => [code, path]),
    ],
  ),
]
