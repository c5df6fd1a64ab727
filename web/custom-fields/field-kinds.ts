import {
  type Icon,
  IconAbc,
  IconAlignLeft,
  IconBuilding,
  IconCalendar,
  IconCalendarTime,
  IconCheckbox,
  IconChevronDown,
  IconCircleDot,
  IconCoin,
  IconFile,
  IconGift,
  IconHash,
  IconLink,
  IconListCheck,
  IconListDetails,
  IconListTree,
  IconMapPin,
  IconPhone,
  IconReceipt,
  IconRoute,
  IconTag,
  IconTruck,
  IconUser,
} from '@tabler/icons-react'
import { type FieldType, typeOf } from '../../src/custom-fields/fields/field-types.ts'
import { type Collection, wordOf } from '../data/records.ts'

interface Kind {
  icon: Icon
  /** Columns align the values as numbers. */
  isNumber?: true
}

/** All field types, the common ones first. */
export const fieldKinds: Record<FieldType, Kind> = {
  text: { icon: IconAbc },
  textarea: { icon: IconAlignLeft },
  numeric: { icon: IconHash, isNumber: true },
  monetary: { icon: IconCoin, isNumber: true },
  price: { icon: IconTag, isNumber: true },
  checkbox: { icon: IconCheckbox },
  select: { icon: IconChevronDown },
  multiselect: { icon: IconListCheck },
  radiobutton: { icon: IconCircleDot },
  category: { icon: IconListTree },
  date: { icon: IconCalendar },
  date_time: { icon: IconCalendarTime },
  birthday: { icon: IconGift },
  multitext: { icon: IconPhone },
  url: { icon: IconLink },
  streetaddress: { icon: IconMapPin },
  smart_address: { icon: IconMapPin },
  legal_entity: { icon: IconBuilding },
  org_legal_name: { icon: IconBuilding },
  file: { icon: IconFile },
  chained_list: { icon: IconListDetails },
  linked_entity: { icon: IconUser },
  items: { icon: IconReceipt },
  payer: { icon: IconUser },
  supplier: { icon: IconTruck },
  tracking_data: { icon: IconRoute },
}

/** The field types that a collection can have. */
export function typesFor(collection: Collection): FieldType[] {
  const word = wordOf(collection)
  const owner = word === 'elements' ? 'catalogs' : word
  return (Object.keys(fieldKinds) as FieldType[]).filter((type) => typeOf(type).owners.includes(owner))
}
