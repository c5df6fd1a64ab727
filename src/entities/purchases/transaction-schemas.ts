import { type Static, Type } from 'typebox'
import { Self } from '../../http/hal.ts'
import { Time } from '../../http/times.ts'
import { Linked, Price, RequestId, writtenAmount } from '../records/draft-schemas.ts'

const Id = Type.Integer()
const BOUGHT = 'Unix seconds of the purchase.'

/** A purchase in responses, with the members in the platform's order (docs/wire/records.md#customers). */
export const Transaction = Type.Object(
  {
    id: Id,
    price: Type.Integer({ description: 'Whole units of the currency of the account.' }),
    price_with_minor_units: Type.Number({ description: 'The price with its fraction. Read-only.' }),
    comment: Type.Union([Type.String(), Type.Null()]),
    completed_at: Type.Integer({ description: BOUGHT }),
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

const Amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const orNull = <T extends typeof Amount | ReturnType<typeof Type.String>>(type: T) =>
  Type.Union([type, Type.Null()])

/** A requested purchase. */
export const NewTransaction = Type.Object({
  ...writtenAmount('price'),
  price: Type.Number({
    ...Price,
    description: 'In the currency of the account. A fraction is kept in `price_with_minor_units`.',
  }),
  comment: Type.Optional(orNull(Type.String({ maxLength: 10_000 }))),
  completed_at: Type.Optional(Type.Integer({ ...Time, description: `${BOUGHT} By default, now.` })),
  created_by: Type.Optional(Amount),
  ...writtenAmount('next_price'),
  next_date: Type.Optional(orNull(Time)),
  accrue_bonus: Type.Optional(
    Type.Boolean({ description: 'Whether the customer gets the points of the elements.' }),
  ),
  _embedded: Type.Optional(
    Type.Union([
      Type.Object({
        catalog_elements: Type.Optional(
          Type.Union([Type.Array(Linked, { maxItems: 250 }), Type.Null()], {
            description: 'What was bought: elements of lists.',
          }),
        ),
      }),
      Type.Null(),
    ]),
  ),
  request_id: RequestId,
})
