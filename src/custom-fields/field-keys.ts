/**
 * What values are found by. A key is a text whose order is the order of the values, so that one index serves equality
 * and ranges of every type.
 */
const LONGEST = 255
const double = new DataView(new ArrayBuffer(8))

/** A number as 16 hexadecimal digits in its order: the bits of the double, negative ones turned round. */
export function numberKey(value: number): string {
  // -0 is 0.
  double.setFloat64(0, value + 0)
  const bits = double.getBigUint64(0)
  const isNegative = bits >> 63n === 1n
  const ordered = isNegative ? ~bits & 0xffff_ffff_ffff_ffffn : bits | (1n << 63n)
  return ordered.toString(16).padStart(16, '0')
}

/** A text without its case and the space around it, cut where an index would refuse it. */
export function textKey(text: string): string {
  const cut = text.trim().toLowerCase().slice(0, LONGEST)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}

const PHONE = /^\+?[\d\s().\-–]{5,40}$/

/** The digits of a telephone number, however it is written; null for what is none. */
export function phoneDigits(text: string): string | null {
  const digits = PHONE.test(text.trim()) ? text.replace(/\D/g, '') : ''
  return digits.length >= 5 ? digits : null
}

/** Without country and trunk prefixes: how calls and conversations are matched to people. */
export function phoneKey(text: string): string | null {
  return phoneDigits(text)?.slice(-10) ?? null
}
