import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { changeCustomersMode } from '../accounts/accounts.ts'
import { ById } from '../accounts/members/schemas.ts'
import type { Context } from '../context.ts'
import { ListOf, wholeList, withRequestIds } from '../http/hal.ts'
import { baseOf } from '../http/queries/paging.ts'
import {
  addCustomerStatuses,
  changeCustomerStatus,
  listCustomerStatuses,
  readCustomerStatus,
  removeCustomerStatus,
} from './customer-statuses.ts'
import { customerStatusView } from './pipeline-view.ts'
import { CustomerStatus, CustomerStatusPatch, CustomersMode, NewCustomerStatus } from './schemas.ts'
import type { StageUse } from './stage-use.ts'

const STATUSES = '/customers/statuses'
const Statuses = ListOf('statuses', CustomerStatus)

const whereDisabled = {
  otherResponses: { 422: { description: 'Customers are disabled in the account.', problem: true as const } },
}

const operations = {
  changeMode: {
    operationId: 'customers.mode.update',
    summary: 'Switches customers on or off, and sets how the account works with them.',
    returns: 'The mode after the change.',
    tags: ['Pipelines'],
    body: CustomersMode,
    response: { 200: CustomersMode },
  },
  list: {
    operationId: 'customers.statuses.list',
    summary: 'Lists the stages of customers.',
    returns: 'The stages.',
    tags: ['Pipelines'],
    response: { 200: Statuses },
  },
  get: {
    operationId: 'customers.statuses.get',
    summary: 'Shows one stage of customers.',
    returns: 'The stage.',
    tags: ['Pipelines'],
    params: ById,
    response: { 200: CustomerStatus },
  },
  create: {
    operationId: 'customers.statuses.create',
    summary: 'Adds stages of customers.',
    returns: 'The new stages.',
    tags: ['Pipelines'],
    body: Type.Array(NewCustomerStatus, { minItems: 1, maxItems: 250 }),
    response: { 200: Statuses },
    ...whereDisabled,
  },
  update: {
    operationId: 'customers.statuses.update',
    summary: 'Changes one stage of customers.',
    returns: 'The stage after the change.',
    tags: ['Pipelines'],
    params: ById,
    body: CustomerStatusPatch,
    response: { 200: CustomerStatus },
    ...whereDisabled,
  },
  remove: {
    operationId: 'customers.statuses.delete',
    summary: 'Deletes one stage that contains no customers.',
    returns: 'The stage was deleted.',
    tags: ['Pipelines'],
    params: ById,
    ...whereDisabled,
  },
}

/** The stages of customers, and whether customers are enabled. */
export function customerStatusRoutes(ctx: Context, use: StageUse): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)

    v4.patch('/customers/mode', { schema: operations.changeMode }, async ({ actor, body }) => {
      await changeCustomersMode(ctx, actor, body.is_enabled ? body.mode : 'disabled')
      return body
    })
    // At most thirty, so they fit on one page.
    v4.get(STATUSES, { schema: operations.list }, async (request) => {
      const rows = await listCustomerStatuses(ctx, request.actor)
      const statuses = rows.map((row) => customerStatusView(row, base(request)))
      return wholeList('statuses', statuses, base(request) + STATUSES)
    })
    v4.get(`${STATUSES}/:id`, { schema: operations.get }, async (request) =>
      customerStatusView(await readCustomerStatus(ctx, request.actor, request.params.id), base(request)),
    )
    v4.post(STATUSES, { schema: operations.create }, async (request) => {
      const added = await addCustomerStatuses(ctx, request.actor, request.body)
      const statuses = added.map((row) => customerStatusView(row, base(request)))
      return wholeList('statuses', withRequestIds(statuses, request.body), base(request) + STATUSES)
    })
    v4.patch(`${STATUSES}/:id`, { schema: operations.update }, async (request) => {
      const { actor, params, body } = request
      return customerStatusView(await changeCustomerStatus(ctx, actor, params.id, body), base(request))
    })
    v4.delete(`${STATUSES}/:id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
      await removeCustomerStatus(ctx, actor, use, params.id)
      return reply.code(204).send()
    })
  }
}
