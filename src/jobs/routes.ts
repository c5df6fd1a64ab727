import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { type Actor, requirePaid } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { JobRow } from '../db/tables.ts'
import { invalidChoice, Refusal } from '../errors.ts'
import { delimiterOf, headingsOf } from '../http/bodies/forms.ts'
import { self } from '../http/hal.ts'
import type { RequestOf } from '../http/operation.ts'
import { listOf, partsOf, type QueryValue } from '../http/queries/bracket-query.ts'
import { baseOf, originOf } from '../http/queries/paging.ts'
import { choices } from '../http/queries/query-parameters.ts'
import { MAX_CHANGED, NewBulkChange } from './batches/bulk-schemas.ts'
import { listJobs } from './batches/queries.ts'
import { beginBulkChange } from './bulk-changes.ts'
import { setUpImport } from './imports/import-setup.ts'
import { cancelJob, jobStates, requireJob, startJob, undoJob } from './imports/job-states.ts'
import { previewRows } from './imports/preview.ts'
import {
  ById,
  Failures,
  FailuresQuery,
  ImportPatch,
  ImportQuery,
  Job,
  Jobs,
  JobsQuery,
  Preview,
  PreviewQuery,
  Report,
  type ReportedRow,
  ReportQuery,
  reportedOutcomes,
} from './imports/schemas.ts'
import { takeImport } from './imports/uploads.ts'
import { failed, failuresAsCsv } from './reports/failures.ts'
import { listReport, reportAsCsv } from './reports/report.ts'
import { jobView, summariesOf } from './reports/view.ts'
import { cut, type ImportSettings, MAX_BYTES, shownLetters } from './rows/import-settings.ts'

type Failure = Static<typeof Failures>['_embedded']['failures'][number]

/** The maximum size of a list of ids, in bytes. */
const IDS_BODY = MAX_CHANGED * 20

const VISIBLE = 'Only the person who created a job and administrators can see it.'

const operations = {
  list: {
    operationId: 'jobs.list',
    summary: 'Lists imports and bulk changes.',
    description: `Newest first. ${VISIBLE}`,
    returns: 'The imports and bulk changes, newest first.',
    tags: ['Imports and bulk changes'],
    parameters: choices('state', jobStates),
    querystring: JobsQuery,
    response: { 200: Jobs },
  },
  get: {
    operationId: 'jobs.get',
    summary: 'Shows one import or bulk change.',
    description: VISIBLE,
    returns: 'The import or bulk change.',
    tags: ['Imports and bulk changes'],
    params: ById,
    response: { 200: Job },
  },
  changeMany: {
    operationId: 'jobs.bulk_changes.create',
    summary: 'Changes many records.',
    description:
      'Changes the stage, the responsible user or the tags, or moves records to the trash. `ids` names the records, or `search` ' +
      '(a query as the list accepts it) selects them now. 50,000 records at most. The change starts at once.',
    returns: 'The bulk change, which has started.',
    tags: ['Imports and bulk changes'],
    body: NewBulkChange,
    response: { 200: Job },
  },
  update: {
    operationId: 'jobs.update',
    summary: 'Changes the settings of an import.',
    description: 'The column for each target, and what happens to records that exist already.',
    returns: 'The import after the change.',
    tags: ['Imports and bulk changes'],
    params: ById,
    body: ImportPatch,
    response: { 200: Job },
  },
  preview: {
    operationId: 'job.preview.get',
    summary: 'Previews an import.',
    description:
      'The first rows as the import would write them, with the errors of each. `limit` is the number of rows. Nothing is stored.',
    returns: 'The first rows as the import would write them.',
    tags: ['Imports and bulk changes'],
    params: ById,
    querystring: PreviewQuery,
    response: { 200: Preview },
  },
  failures: {
    operationId: 'job.failures.list',
    summary: 'Lists the rows that were refused.',
    description:
      'With `format=csv`, a file with a column that contains the reason. After you correct the rows, you can import the file. ' +
      'After an undo, the list contains the rows that could not be undone, too.',
    returns: 'The refused rows.',
    tags: ['Imports and bulk changes'],
    exports: { 'text/csv': 'The refused rows, as they were in the file.' },
    params: ById,
    querystring: FailuresQuery,
    response: { 200: Failures },
  },
  report: {
    operationId: 'job.report.list',
    summary: 'Lists the rows that were skipped, refused, or written with a warning.',
    description:
      'Each row has its reasons. A warning is a telephone number or an e-mail address that looks invalid and was stored as it is. ' +
      'With `format=csv`, a file with a line for each reason.',
    returns: 'The rows with their reasons.',
    tags: ['Imports and bulk changes'],
    parameters: choices('outcome', reportedOutcomes),
    exports: { 'text/csv': 'A line for each reason: row, result, record, column, value, reason.' },
    params: ById,
    querystring: ReportQuery,
    response: { 200: Report },
  },
  start: {
    operationId: 'jobs.start',
    summary: 'Starts an import.',
    description:
      'The import runs in batches. The rights of the person who started it are checked again for each batch.',
    returns: 'The import, which has started.',
    tags: ['Imports and bulk changes'],
    params: ById,
    response: { 200: Job },
  },
  cancel: {
    operationId: 'jobs.cancel',
    summary: 'Cancels an import or a bulk change.',
    description: 'The job stops. Changes that it has made stay, and can be undone.',
    returns: 'The import or bulk change after it was cancelled.',
    tags: ['Imports and bulk changes'],
    params: ById,
    response: { 200: Job },
  },
  undo: {
    operationId: 'jobs.undo',
    summary: 'Undoes an import or a bulk change.',
    description:
      'Added records go to the trash, and deleted ones come back from it. Changed records get their former values back, unless ' +
      'somebody has changed these values since. You can undo for 30 days.',
    returns: 'The import or bulk change, which is being undone.',
    tags: ['Imports and bulk changes'],
    params: ById,
    response: { 200: Job },
  },
  importFile: {
    operationId: 'jobs.imports.create',
    summary: 'Creates an import from a file.',
    description:
      'The body is a CSV file of at most 20 MiB, 50,000 rows and 250 columns. Its first row contains the names of the columns. The ' +
      'encoding (UTF-8, UTF-16, windows-1251, windows-1252) and the delimiter are detected. The response is a draft with the ' +
      'first rows and a proposed mapping. Nothing is written before the import is started.',
    returns: 'The draft of the import.',
    tags: ['Imports and bulk changes'],
    requestBody: { 'text/csv': { type: 'string', format: 'binary' } },
    querystring: ImportQuery,
    response: { 200: Job },
  },
}

/** `/jobs`: imports and bulk changes, for the people who started them and administrators. */
export function jobRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const shown = (request: FastifyRequest, job: JobRow) => jobView(ctx, job, base(request))

    v4.get('/jobs', { schema: operations.list }, (request) => list(ctx, request, base(request)))
    v4.get('/jobs/:id', { schema: operations.get }, async (request) =>
      shown(request, await readJob(ctx, request.actor, request.params.id)),
    )
    v4.post('/jobs/bulk_changes', { bodyLimit: IDS_BODY, schema: operations.changeMany }, async (request) =>
      shown(request, await beginBulkChange(ctx, request.actor, request.body)),
    )
    v4.patch('/jobs/:id', { bodyLimit: 262_144, schema: operations.update }, async (request) =>
      shown(request, await setUpImport(ctx, request.actor, request.params.id, request.body)),
    )
    v4.get('/jobs/:id/preview', { schema: operations.preview }, (request) => preview(ctx, request))
    v4.get('/jobs/:id/failures', { schema: operations.failures }, (request, reply) =>
      failures(ctx, request, reply),
    )
    v4.get('/jobs/:id/report', { schema: operations.report }, (request, reply) => report(ctx, request, reply))
    for (const [name, move] of [
      ['start', startJob],
      ['cancel', cancelJob],
      ['undo', undoJob],
    ] as const)
      v4.post(`/jobs/:id/${name}`, { schema: operations[name] }, async (request) =>
        shown(request, await move(ctx, request.actor, request.params.id)),
      )
    await v4.register(uploadRoute(ctx))
  }
}

/** An unpaid account reads nothing (R22). */
async function readJob(ctx: Context, actor: Actor, id: number): Promise<JobRow> {
  requirePaid(ctx, actor)
  return requireJob(ctx.db, actor, id)
}

async function list(ctx: Context, request: RequestOf<typeof operations.list>, base: string) {
  const { actor, query } = request
  requirePaid(ctx, actor)
  const rows = await listJobs(ctx.db, actor.account_id, {
    created_by: actor.is_admin ? null : actor.user_id,
    state: choicesIn(query.filter as QueryValue, 'state', jobStates),
    before: query.before ?? null,
    limit: query.limit,
  })
  const jobs = await summariesOf(ctx, actor.account_id, rows, base)
  return { _links: selfOf(request), _embedded: { jobs } }
}

async function preview(ctx: Context, request: RequestOf<typeof operations.preview>) {
  const job = await readJob(ctx, request.actor, request.params.id)
  requireDraft(job)
  const done = await previewRows(ctx, request.actor, job, request.query.limit)
  const shown = shownCell(job)
  const rows = done.map(({ plan, outcome }) => ({
    row: plan.position,
    outcome: outcome.outcome as 'added',
    entity_id: outcome.outcome === 'added' ? null : outcome.entity_id,
    cells: plan.cells.map(shown),
    written: Object.fromEntries(Object.entries(plan.written).map(([target, text]) => [target, shown(text)])),
    faults: outcome.faults,
  }))
  return { _links: selfOf(request), _embedded: { rows } }
}

/** Cells can have 262,144 characters; the files of a report have them whole. */
function shownCell({ settings }: JobRow): (cell: string) => string {
  const { columns = [''] } = JSON.parse(settings) as Partial<ImportSettings>
  const most = shownLetters(columns.length)
  return (cell) => cut(cell, most)
}

const withShownCells = (job: JobRow, rows: readonly ReportedRow[]): ReportedRow[] => {
  const shown = shownCell(job)
  return rows.map((row) => ({ ...row, cells: row.cells.map(shown) }))
}

async function failures(ctx: Context, request: RequestOf<typeof operations.failures>, reply: FastifyReply) {
  const job = await readJob(ctx, request.actor, request.params.id)
  if (request.query.format === 'csv')
    return sendCsv(reply, `not-done-${job.id}.csv`, failuresAsCsv(ctx, job, headingsOf(request)))
  const { rows, next } = await listReport(ctx, job, { ...request.query, of: failed })
  return { _links: selfOf(request), next, _embedded: { failures: withShownCells(job, rows) as Failure[] } }
}

async function report(ctx: Context, request: RequestOf<typeof operations.report>, reply: FastifyReply) {
  const { query } = request
  const job = await readJob(ctx, request.actor, request.params.id)
  const chosen = choicesIn(query.filter as QueryValue, 'outcome', reportedOutcomes)
  const of = chosen.length > 0 ? chosen : reportedOutcomes
  if (query.format === 'csv')
    return sendCsv(
      reply,
      `report-${job.id}.csv`,
      reportAsCsv(ctx, job, of, { delimiter: delimiterOf(request), headings: headingsOf(request) }),
    )
  const { rows, next } = await listReport(ctx, job, { ...query, of })
  return { _links: selfOf(request), next, _embedded: { rows: withShownCells(job, rows) } }
}

const selfOf = (request: FastifyRequest) => self(originOf(request) + request.url)

const sendCsv = (reply: FastifyReply, filename: string, lines: AsyncIterable<string>) =>
  reply
    .header('content-disposition', `attachment; filename="${filename}"`)
    .type('text/csv; charset=utf-8; header=present')
    .send(Readable.from(lines)) as never

/** Passes the file on as a stream, without parsing. */
function uploadRoute(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.removeAllContentTypeParsers()
    v4.addContentTypeParser(
      '*',
      (_request: FastifyRequest, payload: Readable, done: (error: null, body: Readable) => void) =>
        done(null, payload),
    )
    v4.withTypeProvider<TypeBoxTypeProvider>().post(
      '/jobs/imports',
      { bodyLimit: MAX_BYTES, schema: operations.importFile },
      async (request) => {
        const { entity_type, name } = request.query
        const body = request.body instanceof Readable ? request.body : Readable.from([])
        return jobView(ctx, await takeImport(ctx, request.actor, entity_type, body, name), base(request))
      },
    )
  }
}

function requireDraft({ kind, state }: JobRow): void {
  if (kind !== 'import' || state !== 'draft') throw new Refusal('not_found', 'Only a draft has a preview.')
}

/** The valid choices of a filter, without duplicates; empty without a filter. */
function choicesIn<Choice extends string>(
  filter: QueryValue | undefined,
  name: string,
  choices: readonly Choice[],
): Choice[] {
  const values = listOf(partsOf(filter)[name])
  const known = choices.filter((choice) => values.includes(choice))
  if (values.some((one) => !(choices as readonly string[]).includes(one)))
    throw invalidChoice(`filter.${name}`, choices)
  return known
}
