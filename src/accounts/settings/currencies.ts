/** A currency in a list. Clients read `code`; the platform describes no other member. */
export interface Currency {
  /** ISO 4217. */
  code: string
  /** In the language of the account. */
  name: string
  symbol: string
}

/** The codes of all currencies of ISO 4217 that are in use, in their order. */
export const currencyCodes: readonly string[] = Intl.supportedValuesOf('currency')

const known = new Set(currencyCodes)

export const isCurrency = (code: string): boolean => known.has(code)

/** All currencies in the order of their codes. */
export function currenciesIn(language: string): Currency[] {
  const names = new Intl.DisplayNames(language, { type: 'currency' })
  return currencyCodes.map((code) => ({ code, name: names.of(code) ?? code, symbol: currencySign(code) }))
}

/** The sign of a currency without the name of its country, or its code if it has none. */
export function currencySign(currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency
}
