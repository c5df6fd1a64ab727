import { TextInput, type TextInputProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type CustomField, fieldsOptions } from '../data/fields.ts'
import { type Collection, wordOf } from '../data/records.ts'
import { hrefOf } from './values.ts'

/** The telephone number and the e-mail address of a new contact or company, as they were typed. */
export interface TypedAddresses {
  phone: string
  email: string
}

const codes = { phone: 'PHONE', email: 'EMAIL' } as const
type AddressName = keyof typeof codes
const names = Object.keys(codes) as AddressName[]

export type AddressFields = Partial<Record<AddressName, CustomField>>

/** The fields of the account for telephone numbers and e-mail addresses, if people can fill them. */
export function useAddressFields(collection: Collection): AddressFields {
  const hasAddresses = ['contacts', 'companies'].includes(wordOf(collection))
  const { data = [] } = useQuery({ ...fieldsOptions(collection), enabled: hasAddresses })
  if (!hasAddresses) return {}
  const usable = data.filter((field) => !field.disabled && !field.is_api_only && field.type === 'multitext')
  return Object.fromEntries(
    names.flatMap((name) => {
      const field = usable.find(({ code }) => code === codes[name])
      return field ? [[name, field]] : []
    }),
  )
}

interface AddressInputsProps {
  fields: AddressFields
  propsOf: (name: AddressName) => TextInputProps
}

export function AddressInputs({ fields, propsOf }: AddressInputsProps) {
  return names.map((name) => {
    const field = fields[name]
    return (
      field && (
        <TextInput
          key={name}
          label={field.name}
          type={name === 'phone' ? 'tel' : 'text'}
          inputMode={name === 'phone' ? 'tel' : 'email'}
          // The browser would offer the person's own.
          autoComplete="off"
          maxLength={1_024}
          {...propsOf(name)}
        />
      )
    )
  })
}

/** The values of the fields with their first labels; nothing for those that are empty. */
export const addressValues = (fields: AddressFields, typed: TypedAddresses) =>
  names.flatMap((name) => {
    const field = fields[name]
    const value = typed[name].trim()
    const label = field?.enums?.[0]
    return field && value !== ''
      ? [{ field_id: field.id, values: [{ value, ...(label && { enum_id: label.id }) }] }]
      : []
  })

/** Puts a text that a person searched for where it belongs: it is an address or a name. */
export function sortAddress(text: string): TypedAddresses & { name: string } {
  const name = names.find((name) => hrefOf({ type: 'multitext', code: codes[name] }, text))
  return { name: '', phone: '', email: '', [name ?? 'name']: text }
}
