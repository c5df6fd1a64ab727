import { IconCheck, IconPaperclip } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FieldType } from '../../src/custom-fields/fields/field-types.ts'
import { briefOptions } from '../data/record-briefs.ts'
import { type Collection, elementsOf } from '../data/records.ts'
import { RecordLink } from '../parts/records/record-link.tsx'
import classes from './field-value.module.css'
import { nameOf, useFieldText } from './use-field-text.ts'
import { type FieldOfValue, hrefOf, textsOf, type Values, type WireValue } from './values.ts'

interface FieldValueProps {
  field: FieldOfValue
  value: Values
}

/** The value of a field on one line, for cards and list columns. Empty if there is no value. */
export function FieldValue({ field, value }: FieldValueProps) {
  const text = useFieldText()
  const first = value?.[0]
  if (value === undefined || first === undefined) return null
  const formatted = text(field, value)
  const Kind = kinds[field.type]
  return (
    <span className={classes.line} title={Kind ? undefined : formatted}>
      {Kind ? <Kind field={field} value={value} first={first} text={formatted} /> : formatted}
    </span>
  )
}

interface KindProps {
  field: FieldOfValue
  value: readonly WireValue[]
  first: WireValue
  text: string
}

/** How each type is shown, if not as its text. */
const kinds: Record<FieldType, ((props: KindProps) => ReactNode) | null> = {
  text: null,
  textarea: null,
  streetaddress: null,
  org_legal_name: null,
  tracking_data: null,
  numeric: null,
  monetary: null,
  price: null,
  select: null,
  multiselect: null,
  radiobutton: null,
  category: null,
  date: null,
  birthday: null,
  date_time: null,
  smart_address: null,
  legal_entity: null,
  items: null,
  supplier: null,
  checkbox: ({ first, text }) =>
    first.value === true ? (
      <span className={classes.check} title={text}>
        <IconCheck size={15} stroke={1.9} role="img" aria-label={text} />
      </span>
    ) : (
      <span className={classes.no}>{text}</span>
    ),
  multitext: Addresses,
  url: Addresses,
  linked_entity: ({ first }) => {
    const { entity_type, entity_id, catalog_id, name } = first.value as LinkedEntity
    const collection = collectionOf(entity_type, catalog_id)
    return collection ? <NamedRecord collection={collection} id={entity_id} name={name} /> : name
  },
  payer: ({ first, text }) => {
    const { entity_type, entity_id, name } = first.value as LinkedEntity
    const collection = entity_id ? collectionOf(entity_type) : undefined
    return collection ? <NamedRecord collection={collection} id={entity_id} name={name} /> : text
  },
  chained_list: ({ value }) =>
    value.map(({ catalog_id, catalog_element_id }, i) => (
      <span key={String(catalog_element_id)}>
        {i > 0 && ' › '}
        <NamedRecord collection={elementsOf(Number(catalog_id))} id={Number(catalog_element_id)} />
      </span>
    )),
  file: ({ first }) => {
    const file = first.value
    return (
      <span className={classes.file} title={nameOf(file)}>
        <IconPaperclip size={14} aria-hidden />
        {nameOf(file)}
      </span>
    )
  },
}

interface LinkedEntity {
  entity_type: string | number
  entity_id: number
  catalog_id?: number
  name?: string
}

const collectionOf = (entity_type: unknown, catalog_id?: number): Collection | undefined => {
  if (entity_type === 'contacts' || entity_type === 'companies') return entity_type
  return entity_type === 'catalog_elements' && catalog_id ? elementsOf(catalog_id) : undefined
}

/** Phone numbers, emails and sites as links. */
function Addresses({ field, value }: KindProps) {
  return textsOf(value).map((text, i) => (
    <span key={text}>
      {i > 0 && ', '}
      <Address field={field} text={text} />
    </span>
  ))
}

/** A phone number, email or site as a link. */
export function Address({ field, text }: { field: FieldOfValue; text: string }) {
  const href = hrefOf(field, text)
  if (href === undefined) return text
  const away = field.type === 'url' ? { target: '_blank', rel: 'noopener noreferrer' } : undefined
  return (
    <a href={href} title={text} {...away}>
      {text}
    </a>
  )
}

/** A linked record by its id; readers who cannot see it only see the id. */
export function NamedRecord({ collection, id, name }: { collection: Collection; id: number; name?: string }) {
  const { data } = useQuery({ ...briefOptions(collection, id), enabled: name === undefined })
  return (
    <RecordLink collection={collection} id={id}>
      {name ?? data?.name ?? `#${id}`}
    </RecordLink>
  )
}
