/** The built-in labels of phone numbers and emails, which are translated. */
const labels = ['WORK', 'WORKDD', 'MOB', 'FAX', 'HOME', 'OTHER', 'PRIV'] as const
type Label = (typeof labels)[number]

export const isLabel = (code: unknown): code is Label => labels.includes(code as Label)
export const labelKey = (code: Label) => `value.label.${code}` as const
