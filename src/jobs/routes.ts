import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { requirePaid } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { JobRow } from '../db/tables.ts'
import { invalidChoice, Refusal } from '../errors.ts'
import { listOf, type QueryValue } from '../http/bracket-query.ts'
import { self } from '../http/hal.ts'
import { baseOf, originOf } from '../http/paging.ts'
import { beginBulkChange } from './bulk-changes.ts'
import { MAX_CHANGED, NewBulkChange } from './bulk-schemas.ts'
import { failed, failuresAsCsv } from './failures.ts'
import { MAX_BYTES } from './import-settings.ts'
import { setUpImport } from './import-setup.ts'
import { cancelJob, jobStates, requireJob, startJob, undoJob } from './job-states.ts'
import { previewRows } from './preview.ts'
import { listJobs } from './queries.ts'
import { listReport, reportAsCsv } from './report.ts'
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
  ReportQuery,
  reportedOutcomes,
} from './schemas.ts'
import { takeImport } from './uploads.ts'
import { jobView, summaryOf } from './view.ts'

type Failure = Static<typeof Failures>['_embedded']['failures'][number]

/** The maximum size of a list of ids, in bytes. */
const IDS_BODY = MAX_CHANGED * 20

/** `/jobs`: imports and bulk changes, for the people who started them and administrators. */
export function jobRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const shown = (request: FastifyRequest, job: JobRow) => jobView(ctx, job, base(request))
    const selfOf = (request: FastifyRequest) => self(originOf(request) + request.url)
    const moving = { schema: { params: ById, response: { 200: Job } } }

    v4.get('/jobs', { schema: { querystring: JobsQuery, response: { 200: Jobs } } }, async (request) => {
      const { actor, query } = request
      requirePaid(ctx, actor)
      const rows = await listJobs(ctx.db, actor.account_id, {
        created_by: actor.is_admin ? null : actor.user_id,
        state: choicesIn(query.filter as QueryValue, 'state', jobStates),
        before: query.before ?? null,
        limit: query.limit,
      })
      const jobs = rows.map((job) => summaryOf(ctx, job, base(request)))
      return { _links: selfOf(request), _embedded: { jobs } }
    })
    v4.get('/jobs/:id', moving, async (request) => {
      requirePaid(ctx, request.actor)
      return shown(request, await requireJob(ctx.db, request.actor, request.params.id))
    })
    v4.post(
      '/jobs/bulk_changes',
      { bodyLimit: IDS_BODY, schema: { body: NewBulkChange, response: { 200: Job } } },
      async (request) => shown(request, await beginBulkChange(ctx, request.actor, request.body)),
    )
    v4.patch(
      '/jobs/:id',
      { bodyLimit: 262_144, schema: { params: ById, body: ImportPatch, response: { 200: Job } } },
      async (request) =>
        shown(request, await setUpImport(ctx, request.actor, request.params.id, request.body)),
    )
    const preview = { params: ById, querystring: PreviewQuery, response: { 200: Preview } }
    v4.get('/jobs/:id/preview', { schema: preview }, async (request) => {
      requirePaid(ctx, request.actor)
      const job = await requireJob(ctx.db, request.actor, request.params.id)
      requireDraft(job)
      const done = await previewRows(ctx, request.actor, job, request.query.limit)
      const rows = done.map(({ plan, outcome }) => ({
        row: plan.position,
        outcome: outcome.outcome as 'added',
        entity_id: outcome.outcome === 'added' ? null : outcome.entity_id,
        cells: plan.cells,
        written: plan.written,
        faults: outcome.faults,
      }))
      return { _links: selfOf(request), _embedded: { rows } }
    })
    v4.get(
      '/jobs/:id/failures',
      { schema: { params: ById, querystring: FailuresQuery, response: { 200: Failures } } },
      async (request, reply) => {
        requirePaid(ctx, request.actor)
        const job = await requireJob(ctx.db, request.actor, request.params.id)
        if (request.query.format === 'csv') {
          reply.header('content-disposition', `attachment; filename="not-done-${job.id}.csv"`)
          reply.type('text/csv; charset=utf-8; header=present')
          return reply.send(Readable.from(failuresAsCsv(ctx, job)) as never)
        }
        const { rows, next } = await listReport(ctx, job, { of: failed, ...request.query })
        return { _links: selfOf(request), next, _embedded: { failures: rows as Failure[] } }
      },
    )
    v4.get(
      '/jobs/:id/report',
      { schema: { params: ById, querystring: ReportQuery, response: { 200: Report } } },
      async (request, reply) => {
        const { actor, params, query } = request
        requirePaid(ctx, actor)
        const job = await requireJob(ctx.db, actor, params.id)
        const asked = choicesIn(query.filter as QueryValue, 'outcome', reportedOutcomes)
        const of = asked.length > 0 ? asked : reportedOutcomes
        if (query.format === 'csv') {
          reply.header('content-disposition', `attachment; filename="report-${job.id}.csv"`)
          reply.type('text/csv; charset=utf-8; header=present')
          return reply.send(Readable.from(reportAsCsv(ctx, job, of)) as never)
        }
        const { rows, next } = await listReport(ctx, job, { ...query, of })
        return { _links: selfOf(request), next, _embedded: { rows } }
      },
    )
    const moves = { start: startJob, cancel: cancelJob, undo: undoJob }
    for (const [name, move] of Object.entries(moves))
      v4.post(`/jobs/:id/${name}`, moving, async (request) =>
        shown(request, await move(ctx, request.actor, request.params.id)),
      )
    await v4.register(uploadRoute(ctx, shown))
  }
}

/** Passes the file on as a stream, without parsing. */
function uploadRoute(
  ctx: Context,
  shown: (request: FastifyRequest, job: JobRow) => Promise<Job>,
): FastifyPluginAsyncTypebox {
  return async (v4) => {
    v4.removeAllContentTypeParsers()
    v4.addContentTypeParser(
      '*',
      (_request: FastifyRequest, payload: Readable, done: (error: null, body: Readable) => void) =>
        done(null, payload),
    )
    v4.withTypeProvider<TypeBoxTypeProvider>().post(
      '/jobs/imports',
      { bodyLimit: MAX_BYTES, schema: { querystring: ImportQuery, response: { 200: Job } } },
      async (request) => {
        const { entity_type, name } = request.query
        const body = request.body instanceof Readable ? request.body : Readable.from([])
        return shown(request, await takeImport(ctx, request.actor, entity_type, body, name))
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
  const asked = typeof filter === 'object' && !Array.isArray(filter) ? listOf(filter[name]) : []
  const known = choices.filter((choice) => asked.includes(choice))
  if (asked.some((one) => !(choices as readonly string[]).includes(one)))
    throw invalidChoice(`filter.${name}`, choices)
  return known
}
