import { useTranslation } from 'react-i18next'

/**
 * The language with the region of the browser, such as `es-MX` for a reader of Spanish in Mexico: the order of a date and
 * the decimal mark of an amount differ between countries with one language.
 */
export function withRegion(language: string, accepted: readonly string[] = navigator.languages): string {
  return accepted.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ?? language
}

/** Returns the locale in which dates and numbers are shown to the reader, and typed by them. */
export function useLocale(): string {
  const { i18n } = useTranslation()
  return withRegion(i18n.language)
}
