import type { TFunction } from 'i18next'

/** Periods that people choose from, in days. */
const usual = [30, 90, 180, 365, 730, 1_095, 1_825, 2_555, 3_650]

/** The value of a period that never ends in a select, whose values are texts. */
export const FOR_EVER = 'ever'

/** The periods that a kind can have, with the one that it has now. */
export const choicesOf = (least_days: number, days: number | null): number[] =>
  [...new Set([...usual, ...(days === null ? [] : [days])])]
    .filter((one) => one >= least_days || one === days)
    .sort((a, b) => a - b)

/** A period in words: whole years and months if it has any. */
export function periodText(t: TFunction<'web'>, days: number): string {
  if (days % 365 === 0) return t('retention.years', { count: days / 365 })
  if (days % 30 === 0 && days < 365) return t('retention.months', { count: days / 30 })
  return t('retention.days', { count: days })
}
