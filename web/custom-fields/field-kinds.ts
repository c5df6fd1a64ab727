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
import type { CustomField } from '../data/fields.ts'
import { type CardKind, type Collection, wordOf } from '../data/records.ts'

type FieldType = CustomField['type']
type Owner = CardKind | 'elements'

const all: readonly Owner[] = ['leads', 'contacts', 'companies', 'customers', 'elements']
const people: readonly Owner[] = ['leads', 'contacts', 'companies']
const lists: readonly Owner[] = ['elements']

interface Kind {
  icon: Icon
  /** The kinds of records that can have fields of this type. */
  owners: readonly Owner[]
  /** The kind of options that it has. */
  offers?: 'choices' | 'labels' | 'tree'
}

/** All field types, the common ones first. */
export const fieldKinds: Record<FieldType, Kind> = {
  text: { icon: IconAbc, owners: all },
  textarea: { icon: IconAlignLeft, owners: all },
  numeric: { icon: IconHash, owners: all },
  monetary: { icon: IconCoin, owners: ['leads', 'contacts', 'companies', 'customers'] },
  price: { icon: IconTag, owners: lists },
  checkbox: { icon: IconCheckbox, owners: all },
  select: { icon: IconChevronDown, owners: all, offers: 'choices' },
  multiselect: { icon: IconListCheck, owners: all, offers: 'choices' },
  radiobutton: { icon: IconCircleDot, owners: all, offers: 'choices' },
  category: { icon: IconListTree, owners: lists, offers: 'tree' },
  date: { icon: IconCalendar, owners: all },
  date_time: { icon: IconCalendarTime, owners: all },
  birthday: { icon: IconGift, owners: people },
  multitext: { icon: IconPhone, owners: ['contacts'], offers: 'labels' },
  url: { icon: IconLink, owners: all },
  streetaddress: { icon: IconMapPin, owners: all },
  smart_address: { icon: IconMapPin, owners: people },
  legal_entity: { icon: IconBuilding, owners: people },
  org_legal_name: { icon: IconBuilding, owners: ['companies'] },
  file: { icon: IconFile, owners: all },
  chained_list: { icon: IconListDetails, owners: ['leads', 'customers'] },
  linked_entity: { icon: IconUser, owners: lists },
  items: { icon: IconReceipt, owners: lists },
  payer: { icon: IconUser, owners: lists },
  supplier: { icon: IconTruck, owners: lists },
  tracking_data: { icon: IconRoute, owners: ['leads'] },
}

/** The field types that a collection can have. */
export const typesFor = (collection: Collection): FieldType[] =>
  (Object.keys(fieldKinds) as FieldType[]).filter((type) =>
    fieldKinds[type].owners.includes(wordOf(collection)),
  )
