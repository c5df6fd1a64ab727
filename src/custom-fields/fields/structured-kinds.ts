import { type Static, type TSchema, Type } from 'typebox'
import { Clean } from 'typebox/value'
import type { Refusal } from '../../errors.ts'
import { lenient } from '../../http/bodies/lenient-bodies.ts'
import { validatorCompiler } from '../../http/bodies/validation.ts'
import { textKey } from './field-keys.ts'
import {
  ChainedListValue,
  FileValue,
  InvoiceItem,
  LegalEntity,
  LinkedEntity,
  Payer,
  Supplier,
} from './structured-schemas.ts'
import { decimalText, type ValueKind, type WireValue } from './value-kinds.ts'

/** Values with members. They are stored as written, without unknown and null members. */
type Structure = Readonly<Record<string, unknown>>

interface Shape<S> {
  /** The members are beside the value on the wire; otherwise they are under `value`. */
  isFlat?: boolean
  /** Converts notations that clients are known to send. */
  given?(value: unknown): unknown
  /** Adds computed members to the response. */
  shown?(value: S): WireValue
  /** The value with these members, if there are any. */
  shownSchema?: TSchema
  text(value: S): string
  /** The member that this value lacks, if its schema does not say so. */
  lacks?(value: S): string | undefined
  /** Search keys besides the text. */
  keys?(value: S): (string | number | null | undefined)[]
}

function structured<T extends TSchema>(schema: T, shape: Shape<Static<T>>): ValueKind<Structure> {
  const validate = validatorCompiler({ schema, method: '', url: '', httpPart: 'body' })
  const of = (value: Structure) => value as Static<T>
  const shown = shape.shownSchema ?? schema
  return {
    published: shape.isFlat ? shown : Type.Object({ value: shown }),
    isOrdered: false,
    isSet: false,
    read(written, _field, addFault) {
      const given = shape.isFlat ? written : written.value
      const value = lenient(schema)(shape.given?.(given) ?? given)
      const at = (path: string) => [...(shape.isFlat ? [] : ['value']), path].filter(Boolean).join('.')
      if (value === undefined) {
        addFault('FieldMissing', at(''), 'This field is missing.')
        return undefined
      }
      const { error } = validate(value) as { error?: Refusal }
      for (const { code, path, detail } of error?.faults ?? []) addFault(code, at(path), detail)
      const lacking = error ? undefined : shape.lacks?.(value as Static<T>)
      if (lacking !== undefined) addFault('FieldMissing', at(lacking), 'This field is missing.')
      return error || lacking !== undefined
        ? undefined
        : withoutNulls(Clean(schema, structuredClone(value)) as Structure)
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

export const legalEntity = structured(LegalEntity, {
  text: ({ name }) => name,
  keys: ({ vat_id, external_uid }) => [vat_id, external_uid],
})

const ReadItem = Type.Object(
  {
    ...InvoiceItem.properties,
    is_discount_recalculated: Type.Boolean(),
    is_total_sum_recalculated: Type.Boolean(),
    total_sum: Type.Number({ description: 'The price after the discount, before tax. Read-only.' }),
  },
  { title: 'ReadInvoiceItem' },
)

const amounts = ['unit_price', 'quantity', 'vat_rate_value', 'bonus_points_per_purchase']

/** The amounts as numbers: some clients write them as text, like the values of fields with numbers (F5). */
function withNumbers(given: unknown, names: readonly string[]): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const read: Record<string, unknown> = { ...given }
  for (const name of names) {
    const text = read[name]
    const digits = typeof text === 'string' ? decimalText(text) : undefined
    if (digits !== undefined) read[name] = Number(digits)
  }
  return read
}

function itemIn(given: unknown): unknown {
  const item = withNumbers(given, amounts)
  const discount = (item as { discount?: unknown } | null | undefined)?.discount
  return discount ? { ...(item as object), discount: discountIn(discount) } : item
}

/** A client writes an item without a discount back with nulls in its discount (docs/wire/fields.md#values). */
function discountIn(given: unknown): unknown {
  const { type, value } = given as { type?: unknown; value?: unknown }
  return type === null && value === null ? null : withNumbers(given, ['value'])
}

export const items = structured(InvoiceItem, {
  given: itemIn,
  shownSchema: ReadItem,
  shown: (item) => ({
    is_discount_recalculated: false,
    is_total_sum_recalculated: false,
    total_sum: totalOf(item),
  }),
  text: ({ description, sku, external_uid }) => description ?? sku ?? external_uid ?? '',
  keys: ({ sku, external_uid, product_id }) => [sku, external_uid, product_id],
})

/** The total before tax; not below zero. */
function totalOf({ unit_price, quantity, discount }: Static<typeof InvoiceItem>): number {
  const full = (unit_price ?? 0) * (quantity ?? 0)
  const off = discount?.type === 'percentage' ? (full * discount.value) / 100 : (discount?.value ?? 0)
  return Math.max(0, Math.round((full - off) * 100) / 100)
}

export const linkedEntity = structured(LinkedEntity, {
  text: ({ name, entity_id }) => name ?? String(entity_id),
  keys: ({ entity_id }) => [entity_id],
})

export const chainedList = structured(ChainedListValue, {
  isFlat: true,
  text: ({ catalog_element_id }) => String(catalog_element_id),
})

export const file = structured(FileValue, {
  text: ({ file_name, file_uuid }) => file_name ?? file_uuid,
  keys: ({ file_uuid }) => [file_uuid],
})

export const payer = structured(Payer, {
  text: ({ name, entity_id }) => name || String(entity_id),
  lacks: ({ name, entity_id }) => (name || entity_id ? undefined : 'name'),
  keys: ({ vat_id, entity_id }) => [vat_id, entity_id],
})

export const supplier = structured(Supplier, {
  text: ({ entity_id }) => String(entity_id),
})
