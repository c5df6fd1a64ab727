import type { Declarations } from './declaration.ts'
import { inPath } from './places.ts'

const ofCustomer: Record<string, string> = { customer_id: '{id}' }
const ofItsCustomer = { customer_id: '{its parent}' }

/** Purchases have the rights of their customer. */
export const declaredPurchases: Declarations = {
  'GET /customers/transactions': {
    paid: true,
    answers: 200,
    asks: {},
    ids: [{ at: 'filter', of: 'transactions', right: 'view', request: { query: 'filter[id]={id}' } }],
  },
  'GET /customers/transactions/:id': { paid: true, answers: 200, ids: [inPath('transactions', 'view')] },
  'GET /customers/:customer_id/transactions': {
    paid: true,
    answers: 200,
    ids: [inPath('customers', 'view', { params: ofCustomer })],
  },
  'GET /customers/:customer_id/transactions/:id': {
    paid: true,
    answers: 200,
    ids: [inPath('transactions', 'view', { params: ofItsCustomer })],
  },
  'POST /customers/:customer_id/transactions': {
    answers: 200,
    ids: [
      inPath('customers', 'edit', { params: ofCustomer, body: [{ price: 1 }] }),
      {
        at: '_embedded.catalog_elements',
        of: 'catalog_elements',
        right: 'view',
        beside: [['customers', 'edit']],
        request: {
          params: { customer_id: '{own customers}' },
          body: [{ price: 1, _embedded: { catalog_elements: [{ id: '{id}' }] } }],
        },
      },
    ],
  },
  'DELETE /customers/transactions/:id': { answers: 204, ids: [inPath('transactions', 'edit')] },
  'DELETE /customers/:customer_id/transactions/:id': {
    answers: 204,
    ids: [inPath('transactions', 'edit', { params: ofItsCustomer })],
  },
  'POST /customers/:customer_id/bonus_points': {
    answers: 200,
    ids: [inPath('customers', 'edit', { params: ofCustomer, body: { earn: 1 } })],
  },
}
