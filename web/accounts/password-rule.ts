import type { TFunction } from 'i18next'

/** The server's limits; the server also rejects common passwords. */
export const passwordRule = (t: TFunction<'web'>) => (value: string) =>
  value.length < 12 || value.length > 256 ? t('faults.password_length') : null
