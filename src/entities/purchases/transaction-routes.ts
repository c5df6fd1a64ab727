import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requirePaid } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { Self, self } from '../../http/hal.ts'
import type { RequestOf } from '../../http/operation.ts'
import { listOf, partsOf, type QueryValue, textOf } from '../../http/queries/bracket-query.ts'
import { baseOf, KeysetList, KeysetPaged, keysetPage, pageOf, positionOf } from '../../http/queries/paging.ts'
import { ids, one, orders } from '../../http/queries/query-parameters.ts'
import { directionOf, numberOf } from '../../http/queries/query-values.ts'
import { loadAccess } from '../records/access.ts'
import { BATCH_BODY, batchOf } from '../records/draft-schemas.ts'
import { changeBonusPoints } from './bonus-points.ts'
import { listTransactions, readTransaction, transactionLinks } from './transaction-list.ts'
import { NewTransaction, Transaction } from './transaction-schemas.ts'
import { addTransactions, deleteTransactions } from './transactions.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const ById = Type.Object({ id: Id })
const OfCustomer = Type.Object({ customer_id: Id })
const OfBoth = Type.Object({ customer_id: Id, id: Id })
const Added = Type.Object({
  _links: Self,
  _embedded: Type.Object({
    transactions: Type.Array(
      Type.Object({
        id: Type.Integer(),
        customer_id: Type.Integer(),
        request_id: Type.Union([Type.String(), Type.Integer()]),
        _links: Self,
      }),
    ),
  }),
})
const Points = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

const Listed = KeysetList('transactions', Transaction)

const operations = {
  list: {
    operationId: 'customers.transactions.list',
    summary: 'Lists purchases of all customers.',
    returns: 'One page of purchases.',
    tags: ['Purchases'],
    parameters: [...ids('id'), ...orders('id')],
    querystring: KeysetPaged,
    response: { 200: Listed },
  },
  listOfOne: {
    operationId: 'customer.transactions.list',
    summary: 'Lists purchases of one customer.',
    returns: 'One page of purchases.',
    tags: ['Purchases'],
    parameters: [...ids('id'), ...orders('id')],
    params: OfCustomer,
    querystring: KeysetPaged,
    response: { 200: Listed },
  },
  get: {
    operationId: 'customers.transactions.get',
    summary: 'Shows one purchase.',
    returns: 'The purchase.',
    tags: ['Purchases'],
    params: ById,
    response: { 200: Transaction },
  },
  getOfOne: {
    operationId: 'customer.transactions.get',
    summary: 'Shows one purchase of one customer.',
    returns: 'The purchase.',
    tags: ['Purchases'],
    params: OfBoth,
    response: { 200: Transaction },
  },
  createOfOne: {
    operationId: 'customer.transactions.create',
    summary: 'Adds purchases to one customer.',
    returns: 'The new purchases.',
    tags: ['Purchases'],
    parameters: one('accrue_bonus', { type: 'boolean' }, 'Credits points for the whole batch.'),
    params: OfCustomer,
    body: Type.Array(NewTransaction, batchOf),
    response: { 200: Added },
  },
  remove: {
    operationId: 'customers.transactions.delete',
    summary: 'Deletes one purchase and subtracts it from the totals of the customer.',
    returns: 'The purchase was deleted.',
    tags: ['Purchases'],
    params: ById,
  },
  deleteOfOne: {
    operationId: 'customer.transactions.delete',
    summary: 'Deletes one purchase of one customer.',
    returns: 'The purchase was deleted.',
    tags: ['Purchases'],
    params: OfBoth,
  },
  changeOfOne: {
    operationId: 'customer.bonus_points.change',
    summary: 'Credits or redeems points of one customer.',
    returns: 'The points of the customer after the change.',
    tags: ['Purchases'],
    params: OfCustomer,
    body: Type.Object({ earn: Type.Optional(Points), redeem: Type.Optional(Points) }),
    response: { 200: Type.Object({ bonus_points: Type.Integer() }) },
  },
}

const ALL = '/customers/transactions'
const OF_ONE = '/customers/:customer_id/transactions'

/** `/customers/transactions`, `/customers/{id}/transactions`, `/customers/{id}/bonus_points`. */
export function transactionRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)

    v4.get(ALL, { schema: operations.list }, (request) => list(ctx, request, null, base(request)))
    v4.get(OF_ONE, { schema: operations.listOfOne }, (request) =>
      list(ctx, request, request.params.customer_id, base(request)),
    )
    v4.get(`${ALL}/:id`, { schema: operations.get }, (request) =>
      get(ctx, request, { ...request.params, customer_id: null }, base(request)),
    )
    v4.get(`${OF_ONE}/:id`, { schema: operations.getOfOne }, (request) =>
      get(ctx, request, request.params, base(request)),
    )
    v4.post(OF_ONE, { bodyLimit: BATCH_BODY, schema: operations.createOfOne }, (request) =>
      create(ctx, request, base(request)),
    )
    v4.delete(`${ALL}/:id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
      await deleteTransactions(ctx, actor, [params.id], null)
      return reply.code(204).send()
    })
    v4.delete(`${OF_ONE}/:id`, { schema: operations.deleteOfOne }, async ({ actor, params }, reply) => {
      await deleteTransactions(ctx, actor, [params.id], params.customer_id)
      return reply.code(204).send()
    })
    v4.post(
      '/customers/:customer_id/bonus_points',
      { schema: operations.changeOfOne },
      async ({ actor, body, params }) => ({
        bonus_points: await changeBonusPoints(ctx, actor, params.customer_id, body),
      }),
    )
  }
}

async function list(ctx: Context, request: FastifyRequest, customer_id: number | null, base: string) {
  requirePaid(ctx, request.actor)
  const query = request.query as {
    page: number
    limit: number
    filter?: QueryValue
    order?: QueryValue
    position?: unknown
  }
  const page = pageOf(query)
  const { transactions, next } = await listTransactions(ctx.db, await loadAccess(ctx.db, request.actor), {
    customer_id,
    ids: idsOf(query.filter),
    direction: orderOf(query.order),
    page,
    after: positionOf(query),
    base,
  })
  return { ...keysetPage(request, page, next), _embedded: { transactions } }
}

async function get(
  ctx: Context,
  { actor }: FastifyRequest,
  { id, customer_id }: { id: number; customer_id: number | null },
  base: string,
) {
  requirePaid(ctx, actor)
  return readTransaction(ctx.db, await loadAccess(ctx.db, actor), id, customer_id, base)
}

async function create(
  ctx: Context,
  { actor, body, params, query }: RequestOf<typeof operations.createOfOne>,
  base: string,
) {
  // The platform's client requests points with a query parameter, for the whole batch.
  const accrue = ['1', 'true'].includes(textOf((query as { accrue_bonus?: unknown }).accrue_bonus))
  const drafts = body.map((draft) => ({ ...draft, accrue_bonus: draft.accrue_bonus ?? accrue }))
  const rows = await addTransactions(ctx, actor, params.customer_id, drafts)
  const transactions = rows.map((row, i) => ({
    id: row.id,
    customer_id: row.customer_id,
    request_id: body[i]?.request_id ?? String(i),
    _links: transactionLinks(base, row),
  }))
  return {
    _links: self(`${base}/customers/${params.customer_id}/transactions`),
    _embedded: { transactions },
  }
}

const orderOf = (order: QueryValue | undefined) => {
  const { id } = partsOf(order)
  return id === undefined ? 'asc' : directionOf('id', id)
}

const MAX_IDS = 250

function idsOf(filter: QueryValue | undefined): number[] {
  const ids = listOf(partsOf(filter).id).map((id) => numberOf('filter.id', id))
  if (ids.length > MAX_IDS)
    throw invalid('filter.id', 'TooMany', `This filter accepts at most ${MAX_IDS} values.`)
  return ids
}
