import { type Static, type TSchema, Type } from 'typebox'
import { Clean } from 'typebox/value'
import type { Refusal } from '../errors.ts'
import { lenient } from '../http/lenient-bodies.ts'
import { validatorCompiler } from '../http/validation.ts'
import { textKey } from './field-keys.ts'
import type { ValueKind, WireValue } from './value-kinds.ts'

/** Values that have members of their own. They are kept as they are written, without what is unknown or null. */
type Structure = Readonly<Record<string, unknown>>

interface Shape<S> {
  /** Beside the value itself on the wire; the others stand under `value`. */
  isFlat?: boolean
  /** What is computed when it is shown. */
  shown?(value: S): WireValue
  text(value: S): string
  /** What it is found by beside its text. */
  keys?(value: S): (string | number | null | undefined)[]
}

function structured<T extends TSchema>(schema: T, shape: Shape<Static<T>>): ValueKind<Structure> {
  const validate = validatorCompiler({ schema, method: '', url: '', httpPart: 'body' })
  const of = (value: Structure) => value as Static<T>
  return {
    isOrdered: false,
    isSet: false,
    read(written, _field, addFault) {
      const value = lenient(schema)(shape.isFlat ? written : written.value)
      const at = (path: string) => [...(shape.isFlat ? [] : ['value']), path].filter(Boolean).join('.')
      if (value === undefined) {
        addFault('FieldMissing', at(''), 'This field is missing.')
        return undefined
      }
      const { error } = validate(value) as { error?: Refusal }
      for (const { code, path, detail } of error?.faults ?? []) addFault(code, at(path), detail)
      return error ? undefined : withoutNulls(Clean(schema, structuredClone(value)) as Structure)
    },
    show: (value) => {
      const shown = { ...value, ...shape.shown?.(of(value)) }
      return shape.isFlat ? shown : { value: shown }
    },
    text: (value) => shape.text(of(value)),
    keys: (value) => [
      ...new Set(
        [shape.text(of(value)), ...(shape.keys?.(of(value)) ?? [])]
          .filter((one) => one !== null && one !== undefined)
          .map((one) => textKey(String(one))),
      ),
    ],
    filterKey: textKey,
    words: (value) => [shape.text(of(value))].filter(Boolean),
  }
}

const withoutNulls = (value: Structure): Structure =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))

const Words = (most = 1_024) => Type.Optional(Type.Union([Type.String({ maxLength: most }), Type.Null()]))
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Perhaps = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const Amount = Type.Number({ minimum: 0, maximum: 1_000_000_000_000 })
const Code = Perhaps(
  Type.Union([
    Type.String({ maxLength: 255 }),
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  ]),
)

/** What is known of an organisation, or of a person in business. */
const organisation = {
  vat_id: Code,
  kpp: Code,
  tax_registration_reason_code: Code,
  address: Words(),
  real_address: Words(),
  bank_code: Code,
  bank_account_number: Code,
  director: Words(),
  external_uid: Words(),
  unp: Code,
  bin: Code,
  egrpou: Code,
  mfo: Code,
  oked: Code,
}

export const legalEntity = structured(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 1_024 }),
    // 1 is a person, 2 an organisation.
    entity_type: Perhaps(Type.Enum([1, 2])),
    ...organisation,
  }),
  { text: ({ name }) => name, keys: ({ vat_id, external_uid }) => [vat_id, external_uid] },
)

const Item = Type.Object({
  sku: Words(255),
  description: Words(),
  unit_price: Perhaps(Amount),
  quantity: Perhaps(Amount),
  unit_type: Words(255),
  discount: Perhaps(Type.Object({ type: Type.Enum(['percentage', 'amount']), value: Amount })),
  vat_rate_id: Perhaps(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  vat_rate_value: Perhaps(Amount),
  external_uid: Words(255),
  product_id: Perhaps(Id),
  bonus_points_per_purchase: Perhaps(Amount),
  metadata: Perhaps(
    Type.Record(
      Type.String({ maxLength: 255 }),
      Type.Union([Type.String({ maxLength: 255 }), Type.Number(), Type.Boolean(), Type.Null()]),
      { maxProperties: 20 },
    ),
  ),
})

export const items = structured(Item, {
  shown: (item) => ({
    is_discount_recalculated: false,
    is_total_sum_recalculated: false,
    total_sum: totalOf(item),
  }),
  text: ({ description, sku, external_uid }) => description ?? sku ?? external_uid ?? '',
  keys: ({ sku, external_uid, product_id }) => [sku, external_uid, product_id],
})

/** Before tax; never below nothing. */
function totalOf({ unit_price, quantity, discount }: Static<typeof Item>): number {
  const full = (unit_price ?? 0) * (quantity ?? 0)
  const off = discount?.type === 'percentage' ? (full * discount.value) / 100 : (discount?.value ?? 0)
  return Math.max(0, Math.round((full - off) * 100) / 100)
}

export const linkedEntity = structured(
  Type.Object({
    name: Words(),
    entity_id: Id,
    entity_type: Type.Enum(['contacts', 'companies', 'catalog_elements']),
    catalog_id: Perhaps(Id),
  }),
  { text: ({ name, entity_id }) => name ?? String(entity_id), keys: ({ entity_id }) => [entity_id] },
)

export const chainedList = structured(Type.Object({ catalog_id: Id, catalog_element_id: Id }), {
  isFlat: true,
  text: ({ catalog_element_id }) => String(catalog_element_id),
})

export const file = structured(
  Type.Object({
    file_uuid: Type.String({ minLength: 1, maxLength: 255 }),
    version_uuid: Words(255),
    file_name: Words(),
    file_size: Perhaps(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  { text: ({ file_name, file_uuid }) => file_name ?? file_uuid, keys: ({ file_uuid }) => [file_uuid] },
)

/** Who pays: named with its details, or as one of the records. */
export const payer = structured(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 1_024 }),
    type: Perhaps(Type.Enum(['legal', 'individual'])),
    entity_type: Perhaps(Type.Enum([1, 2, 'contacts', 'companies'])),
    entity_id: Perhaps(Id),
    ...organisation,
  }),
  { text: ({ name }) => name, keys: ({ vat_id, entity_id }) => [vat_id, entity_id] },
)

export const supplier = structured(Type.Object({ entity_id: Id }), {
  text: ({ entity_id }) => String(entity_id),
})
