/** The members of records and purchases that are amounts of money, each with the exact one beside the whole one. */
const exactMembers = {
  price: 'price_with_minor_units',
  next_price: 'next_price_with_minor_units',
  ltv: 'ltv_with_minor_units',
} as const
type AmountMember = keyof typeof exactMembers

/** Whether a member is an amount of money. */
export const isAmount = (member: string): member is AmountMember => Object.hasOwn(exactMembers, member)

/**
 * An amount in two members (R24): the whole one, which sums, filters, orders and events read, and beside it the exact
 * one, which rows have only if it has a fraction.
 */
type Amounts<M extends AmountMember> = {
  [member in M | (typeof exactMembers)[M]]?: number | null | undefined
}

/**
 * Reads an exact amount. Clients write back both members that they have read, so the fraction counts only if it belongs
 * to the whole amount.
 */
export function amountOf<M extends AmountMember>(from: Amounts<M>, member: M): number {
  const whole = from[member]
  const exact = from[exactMembers[member]]
  return typeof exact === 'number' && Math.trunc(exact) === whole ? exact : (whole ?? 0)
}

/** Both columns of an amount. */
export const amountColumns = <M extends AmountMember>(member: M, amount: number) =>
  ({
    [member]: Math.trunc(amount),
    [exactMembers[member]]: Number.isInteger(amount) ? null : amount,
  }) as { [column in M]: number } & { [column in (typeof exactMembers)[M]]: number | null }

/** Writes an amount into both columns of a row. */
export function setAmount<M extends AmountMember>(row: Amounts<M>, member: M, amount: number): void {
  Object.assign(row, amountColumns(member, amount))
}

/** Rounds a sum to more decimals than any currency has: sums of binary fractions have small errors. */
export const roundedSum = (sum: number): number => Number(sum.toFixed(6))

/** Rounds an average to hundredths. */
export const roundedAverage = (average: number): number => Number(average.toFixed(2))
