import type { CustomField } from '../api/fields.ts'

/** What a line that was typed is taken for: the value to write, or what is wrong with it. */
export type Taken = { value: string } | { fault: 'value.not_number' | 'value.not_url' }

interface LineRule {
  most: number
  inputMode?: 'decimal' | 'url'
  take: (typed: string) => Taken
}

const asIs = (value: string): Taken => ({ value })

/** As people write numbers, with blanks between thousands and a comma; the server wants 15 digits at most. */
export function takeNumber(typed: string): Taken {
  const plain = typed.replace(/[\s\u00a0\u202f']/g, '').replace(/,(?=\d*$)/, '.')
  const [, sign, whole, fraction = ''] = /^([+-]?)0*(\d{1,15})(?:\.(\d{1,15}))?$/.exec(plain) ?? []
  const rest = fraction.replace(/0+$/, '')
  if (whole === undefined || `${whole}${rest}`.replace(/^0+/, '').length > 15)
    return { fault: 'value.not_number' }
  const isZero = Number(`${whole}.${rest || 0}`) === 0
  return { value: `${sign === '-' && !isZero ? '-' : ''}${whole}${rest && `.${rest}`}` }
}

const takeAddress = (value: string): Taken =>
  /^https?:\/\//i.test(value)
    ? URL.canParse(value)
      ? { value }
      : { fault: 'value.not_url' }
    : takeBare(value)
const takeBare = (value: string): Taken => (/^[^/?#]*:/.test(value) ? { fault: 'value.not_url' } : { value })

const number: LineRule = { most: 40, inputMode: 'decimal', take: takeNumber }
const line = (most: number): LineRule => ({ most, take: asIs })

/** The types that are one line of text. */
export const lineRules: Partial<Record<CustomField['type'], LineRule>> = {
  text: line(1_024),
  streetaddress: line(1_024),
  org_legal_name: line(1_024),
  tracking_data: line(4_096),
  numeric: number,
  monetary: number,
  price: number,
  url: { most: 2_048, inputMode: 'url', take: takeAddress },
}
