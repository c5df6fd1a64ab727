import type { Fault } from '../../errors.ts'
import { refuseFaults } from '../people/person-draft.ts'
import { isCurrency } from './currencies.ts'

type Settings = Partial<Record<'timezone' | 'country' | 'currency', string | undefined>>

/** Throws Refusal('invalid') for an unknown time zone, country or currency. */
export const requireKnown = (settings: Settings): void => refuseFaults(faultsOf(settings))

const checks: Record<keyof Settings, { isValid: (value: string) => boolean; detail: string }> = {
  timezone: {
    isValid: isTimezone,
    detail: 'This value should be the name of a time zone, such as Europe/Madrid.',
  },
  country: {
    isValid: isCountry,
    detail: 'This value should be the ISO 3166-1 code of a country, such as ES.',
  },
  currency: {
    isValid: isCurrency,
    detail: 'This value should be the ISO 4217 code of a currency, such as EUR.',
  },
}

function faultsOf(settings: Settings): Fault[] {
  return Object.entries(checks).flatMap(([path, { isValid, detail }]) => {
    const value = settings[path as keyof Settings]
    if (value === undefined || isValid(value)) return []
    return [{ request_id: '0', code: 'NotSupportedChoice', path, detail } satisfies Fault]
  })
}

/** Accepts time zone names only: an offset such as `+03:00` does not define daylight saving time. */
function isTimezone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

function isCountry(code: string): boolean {
  return code !== 'ZZ' && countries.of(code) !== undefined
}
