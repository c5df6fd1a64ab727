import { type Static, Type } from 'typebox'
import { Self } from '../../http/hal.ts'

const Id = Type.Integer()

/** A purchase in responses, with the members in the platform's order (docs/wire/records.md#customers). */
export const Transaction = Type.Object(
  {
    id: Id,
    price: Type.Integer(),
    comment: Type.Union([Type.String(), Type.Null()]),
    completed_at: Type.Integer(),
    customer_id: Id,
    created_by: Id,
    updated_by: Id,
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
    is_deleted: Type.Boolean(),
    account_id: Id,
    _links: Self,
    _embedded: Type.Object({
      customer: Type.Object({ id: Id, _links: Self }),
      catalog_elements: Type.Array(
        Type.Object({ id: Id, metadata: Type.Object({ catalog_id: Id, quantity: Type.Number() }) }),
      ),
    }),
  },
  { title: 'Transaction' },
)
export type Transaction = Static<typeof Transaction>
