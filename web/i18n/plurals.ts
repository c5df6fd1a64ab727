import type { i18n } from 'i18next'

/** Portuguese texts of zero are plural ("0 pessoas"). The rule of `pt` makes zero singular, that of `pt-PT` does not. */
export function pluralZero({ services: { pluralResolver } }: i18n): void {
  const ruleOf = pluralResolver.getRule.bind(pluralResolver)
  pluralResolver.getRule = (language: string, options: object) =>
    ruleOf(language === 'pt' ? 'pt-PT' : language, options)
}
