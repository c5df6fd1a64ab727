import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { changeCustomersMode } from '../accounts/accounts.ts'
import { ById } from '../accounts/schemas.ts'
import type { Context } from '../context.ts'
import { ListOf, self } from '../http/hal.ts'
import { baseOf } from '../http/paging.ts'
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

/** The stages of customers, and whether there are customers at all. */
export function customerStatusRoutes(ctx: Context, use: StageUse): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    // Thirty at most: the whole of them is one page.
    const list = (request: FastifyRequest, statuses: CustomerStatus[]) => ({
      _total_items: statuses.length,
      _links: self(`${base(request)}${STATUSES}`),
      _embedded: { statuses },
    })

    v4.patch(
      '/customers/mode',
      { schema: { body: CustomersMode, response: { 200: CustomersMode } } },
      async ({ actor, body }) => {
        await changeCustomersMode(ctx, actor, body.is_enabled ? body.mode : 'disabled')
        return body
      },
    )
    v4.get(STATUSES, { schema: { response: { 200: Statuses } } }, async (request) => {
      const rows = await listCustomerStatuses(ctx, request.actor)
      return list(
        request,
        rows.map((row) => customerStatusView(row, base(request))),
      )
    })
    v4.get(
      `${STATUSES}/:id`,
      { schema: { params: ById, response: { 200: CustomerStatus } } },
      async (request) =>
        customerStatusView(await readCustomerStatus(ctx, request.actor, request.params.id), base(request)),
    )
    v4.post(
      STATUSES,
      {
        schema: {
          body: Type.Array(NewCustomerStatus, { minItems: 1, maxItems: 250 }),
          response: { 200: Statuses },
        },
      },
      async (request) => {
        const added = await addCustomerStatuses(ctx, request.actor, request.body)
        const statuses = added.map((row, i) => ({
          ...customerStatusView(row, base(request)),
          request_id: request.body[i]?.request_id ?? String(i),
        }))
        return list(request, statuses)
      },
    )
    v4.patch(
      `${STATUSES}/:id`,
      { schema: { params: ById, body: CustomerStatusPatch, response: { 200: CustomerStatus } } },
      async (request) => {
        const { actor, params, body } = request
        return customerStatusView(await changeCustomerStatus(ctx, actor, params.id, body), base(request))
      },
    )
    v4.delete(`${STATUSES}/:id`, { schema: { params: ById } }, async ({ actor, params }, reply) => {
      await removeCustomerStatus(ctx, actor, use, params.id)
      return reply.code(204).send()
    })
  }
}
