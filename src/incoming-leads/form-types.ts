/** Parts of a form that every account has. */
export const builtIn = [
  { key: 'name', control: 'text' },
  { key: 'phone', control: 'tel' },
  { key: 'email', control: 'email' },
  { key: 'text', control: 'textarea' },
] as const

/** The types of fields that a form can have. */
export const fieldTypesOfForms = [
  'text',
  'numeric',
  'checkbox',
  'select',
  'radiobutton',
  'url',
  'textarea',
] as const
