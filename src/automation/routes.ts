import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { wholeList, withRequestIds } from '../http/hal.ts'
import type { QueryValue } from '../http/queries/bracket-query.ts'
import { textOf } from '../http/queries/bracket-query.ts'
import { baseOf, keysetPage, pageOf, positionOf } from '../http/queries/paging.ts'
import { one } from '../http/queries/query-parameters.ts'
import { numberOf } from '../http/queries/query-values.ts'
import {
  addRules,
  changeRule,
  type ListedRule,
  listRules,
  MOST_RULES,
  readRule,
  removeRule,
} from './rules.ts'
import { listRuns, ruleView } from './runs.ts'
import {
  Automation,
  AutomationPatch,
  AutomationRuns,
  Automations,
  NewAutomation,
  OfPipeline,
  OneOfPipeline,
  RunsQuery,
} from './schemas.ts'

const AUTOMATIONS = '/leads/pipelines/:pipeline_id/automations'
/** Fifty texts of messages, in any script. */
const BATCH_BYTES = 2 * 1024 * 1024

const operations = {
  list: {
    operationId: 'leads.pipeline.automations.list',
    summary: 'Lists the automations of one pipeline.',
    description: 'What happens to leads that enter its stages, for administrators.',
    returns: 'The automations.',
    tags: ['Automation'],
    params: OfPipeline,
    response: { 200: Automations },
  },
  create: {
    operationId: 'leads.pipeline.automations.create',
    summary: 'Adds automations to the stages of one pipeline.',
    description: `A pipeline has at most ${MOST_RULES} automations.`,
    returns: 'The new automations.',
    tags: ['Automation'],
    params: OfPipeline,
    body: Type.Array(NewAutomation, { minItems: 1, maxItems: MOST_RULES }),
    response: { 200: Automations },
  },
  get: {
    operationId: 'leads.pipeline.automations.get',
    summary: 'Shows one automation.',
    returns: 'The automation.',
    tags: ['Automation'],
    params: OneOfPipeline,
    response: { 200: Automation },
  },
  update: {
    operationId: 'leads.pipeline.automations.update',
    summary: 'Changes one automation.',
    description:
      'An action is replaced as a whole. Leads that wait follow the automation as it is when they are due.',
    returns: 'The automation after the change.',
    tags: ['Automation'],
    params: OneOfPipeline,
    body: AutomationPatch,
    response: { 200: Automation },
  },
  remove: {
    operationId: 'leads.pipeline.automations.delete',
    summary: 'Deletes one automation.',
    returns: 'The automation was deleted.',
    tags: ['Automation'],
    params: OneOfPipeline,
  },
  runs: {
    operationId: 'leads.pipeline.automations.runs.list',
    summary: 'Lists what the automations of one pipeline have done.',
    description: 'The runs of the last 30 days and those that wait, the latest first.',
    returns: 'The runs.',
    tags: ['Automation'],
    parameters: [
      ...one('filter[automation_id]', { type: 'integer' }, 'Of this automation.'),
      ...one('filter[lead_id]', { type: 'integer' }, 'About this lead.'),
    ],
    params: OfPipeline,
    querystring: RunsQuery,
    response: { 200: AutomationRuns },
  },
}

/** The automation of pipelines (Y1). The platform has no address for it: this is ours (V8). */
export function automationRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const addressOf = (request: FastifyRequest, pipeline_id: number) =>
      `${base(request)}/leads/pipelines/${pipeline_id}/automations`
    const view = (request: FastifyRequest, rule: ListedRule) =>
      ruleView(rule, `${addressOf(request, rule.row.pipeline_id)}/${rule.row.id}`)

    v4.get(AUTOMATIONS, { schema: operations.list }, async (request) => {
      const { pipeline_id } = request.params
      const rules = await listRules(ctx, request.actor, pipeline_id)
      const views = rules.map((rule) => view(request, rule))
      return wholeList('automations', views, addressOf(request, pipeline_id))
    })
    v4.post(AUTOMATIONS, { bodyLimit: BATCH_BYTES, schema: operations.create }, async (request) => {
      const { pipeline_id } = request.params
      const added = await addRules(ctx, request.actor, pipeline_id, request.body)
      const views = added.map((rule) => view(request, rule))
      return wholeList('automations', withRequestIds(views, request.body), addressOf(request, pipeline_id))
    })
    v4.get(`${AUTOMATIONS}/runs`, { schema: operations.runs }, async (request) => {
      const { actor, params, query } = request
      const filter = { pipeline_id: params.pipeline_id, ...idsIn(query.filter as QueryValue | undefined) }
      const page = pageOf(query)
      const before = positionOf(query)?.id ?? null
      const offset = before === null ? page.offset : 0
      const { runs, hasNext } = await listRuns(ctx, actor, filter, { before, offset, limit: page.limit })
      const last = runs.at(-1)
      const next = hasNext && last ? { value: 0, id: last.id } : null
      return { ...keysetPage(request, page, next), _embedded: { runs } }
    })
    v4.get(`${AUTOMATIONS}/:id`, { schema: operations.get }, async (request) => {
      const { pipeline_id, id } = request.params
      return view(request, await readRule(ctx, request.actor, pipeline_id, id))
    })
    v4.patch(`${AUTOMATIONS}/:id`, { bodyLimit: BATCH_BYTES, schema: operations.update }, async (request) => {
      const { pipeline_id, id } = request.params
      return view(request, await changeRule(ctx, request.actor, pipeline_id, id, request.body))
    })
    v4.delete(`${AUTOMATIONS}/:id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
      await removeRule(ctx, actor, params.pipeline_id, params.id)
      return reply.code(204).send()
    })
  }
}

function idsIn(filter: QueryValue | undefined): { rule_id: number | null; lead_id: number | null } {
  const given = typeof filter === 'object' && !Array.isArray(filter) ? filter : {}
  const idOf = (name: string) =>
    given[name] === undefined ? null : numberOf(`filter.${name}`, textOf(given[name]))
  return { rule_id: idOf('automation_id'), lead_id: idOf('lead_id') }
}
