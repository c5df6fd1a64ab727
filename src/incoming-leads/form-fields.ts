import { type FieldType, findFields } from '../custom-fields/custom-fields.ts'
import type { Db } from '../db/database.ts'
import type { SiteFormRow } from '../db/tables.ts'
import type { FormField } from './form-schemas.ts'
import { builtIn, type fieldTypesOfForms } from './form-types.ts'

/** How visitors fill in a field. */
export type Control = 'text' | 'tel' | 'email' | 'url' | 'number' | 'checkbox' | 'textarea' | 'select'

/** A field of a form as its page shows it. */
export interface ShownField extends FormField {
  control: Control
  /** The name of a field of the account; null for a part that the page has its own words for. */
  label: string | null
  choices: readonly string[]
  /** The field of the lead or the contact in which the value is stored. */
  stored: { of: 'leads' | 'contacts'; field_id: number } | null
}

const controls: Partial<Record<FieldType, Control>> = {
  text: 'text',
  numeric: 'number',
  checkbox: 'checkbox',
  select: 'select',
  radiobutton: 'select',
  url: 'url',
  textarea: 'textarea',
} satisfies Record<(typeof fieldTypesOfForms)[number], Control>

/** The fields of a form in their order. Fields that were deleted meanwhile are left out. */
export async function shownFields(
  db: Db,
  { account_id, fields }: Pick<SiteFormRow, 'account_id' | 'fields'>,
): Promise<ShownField[]> {
  const sets = {
    leads: await findFields(db, account_id, 'leads'),
    contacts: await findFields(db, account_id, 'contacts'),
  }
  return (JSON.parse(fields) as FormField[]).flatMap((field): ShownField[] => {
    const own = builtIn.find(({ key }) => key === field.key)
    if (own) return [{ ...field, control: own.control, label: null, choices: [], stored: null }]
    const [of, id] = field.key.split('.') as ['leads' | 'contacts', string]
    const found = sets[of].byId.get(Number(id))
    const control = found && controls[found.type]
    if (!found || !control) return []
    const choices = control === 'select' ? found.enums.map(({ value }) => value) : []
    return [{ ...field, control, label: found.name, choices, stored: { of, field_id: found.id } }]
  })
}
