import type { TFunction } from 'i18next'

/** The bounds of the server; it also refuses the most common passwords. */
export const passwordRule = (t: TFunction<'web'>) => (value: string) =>
  value.length < 12 || value.length > 256 ? t('faults.password_length') : null
