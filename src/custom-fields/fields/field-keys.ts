/**
 * Search keys of values. The order of the keys is the order of the values, so that one index serves equality and
 * ranges of every type.
 */
const LONGEST = 255
const double = new DataView(new ArrayBuffer(8))

/** A number as 16 sortable hexadecimal digits: the bits of the double, with those of negative numbers inverted. */
export function numberKey(value: number): string {
  // Turns -0 into 0.
  double.setFloat64(0, value + 0)
  const bits = double.getBigUint64(0)
  const isNegative = bits >> 63n === 1n
  const ordered = isNegative ? ~bits & 0xffff_ffff_ffff_ffffn : bits | (1n << 63n)
  return ordered.toString(16).padStart(16, '0')
}

/** A text in lower case without surrounding space, cut to the length that an index accepts. */
export function textKey(text: string): string {
  const cut = text.trim().toLowerCase().slice(0, LONGEST)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}

const PHONE = /^\+?[\d\s().\-–]{5,40}$/

/** The digits of a telephone number in any notation; null if the text is not one. */
export function phoneDigits(text: string): string | null {
  const digits = PHONE.test(text.trim()) ? text.replace(/\D/g, '') : ''
  return digits.length >= 5 ? digits : null
}

/** The digits without country and trunk prefixes, which match calls and conversations to people. */
export function phoneKey(text: string): string | null {
  return phoneDigits(text)?.slice(-10) ?? null
}
