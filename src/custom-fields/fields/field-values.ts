import { addressParts, type FieldType } from './field-types.ts'
import { chainedList, file, items, legalEntity, linkedEntity, payer, supplier } from './structured-kinds.ts'
import {
  choice,
  day,
  decimal,
  flag,
  labelled,
  moment,
  offerOf,
  text,
  url,
  type ValueKind,
} from './value-kinds.ts'

/** The parts of an address are the same in every account. */
const address = offerOf(addressParts.map((code, i) => ({ id: i + 1, value: code, sort: i + 1, code })))

const kinds: Record<FieldType, ValueKind> = {
  text: text(1_024),
  numeric: decimal,
  checkbox: flag,
  select: choice,
  multiselect: choice,
  date: day,
  url: url(2_048),
  multitext: labelled(1_024),
  textarea: text(20_000),
  radiobutton: choice,
  streetaddress: text(1_024),
  smart_address: labelled(1_024, address),
  birthday: day,
  legal_entity: legalEntity,
  items,
  org_legal_name: text(1_024),
  category: choice,
  date_time: moment,
  price: decimal,
  tracking_data: text(4_096),
  linked_entity: linkedEntity,
  monetary: decimal,
  chained_list: chainedList,
  file,
  payer,
  supplier,
}

/** How values of a type are parsed, stored, shown and searched. */
export const valueKindOf = (type: FieldType): ValueKind => kinds[type]
