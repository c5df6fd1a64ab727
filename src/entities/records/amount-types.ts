/** The members of records and purchases that are amounts of money. */
export const amountMembers = ['price', 'next_price', 'ltv'] as const
type AmountMember = (typeof amountMembers)[number]

/** The exact amount beside a whole one, in rows, drafts and responses. */
const exactMember = <M extends AmountMember>(member: M) => `${member}_with_minor_units` as const

/**
 * An amount in two members (R24): the whole one, which sums, filters, orders and events read, and beside it the exact
 * one, which rows have only if it has a fraction.
 */
type Amounts<M extends AmountMember> = { [member in M | `${M}_with_minor_units`]?: number | null | undefined }

/**
 * Reads an exact amount. Clients write back both members that they have read, so the fraction counts only if it belongs
 * to the whole amount.
 */
export function amountOf<M extends AmountMember>(from: Amounts<M>, member: M): number {
  const [whole, exact] = [from[member], from[exactMember(member)]]
  return typeof exact === 'number' && Math.trunc(exact) === whole ? exact : (whole ?? 0)
}

/** Both columns of an amount. */
export const amountColumns = <M extends AmountMember>(member: M, amount: number) =>
  ({
    [member]: Math.trunc(amount),
    [exactMember(member)]: Number.isInteger(amount) ? null : amount,
  }) as { [column in M]: number } & { [column in `${M}_with_minor_units`]: number | null }

/** Writes an amount into both columns of a row. */
export function setAmount<M extends AmountMember>(row: Amounts<M>, member: M, amount: number): void {
  Object.assign(row, amountColumns(member, amount))
}

/** Rounds a sum to more decimals than any currency has: sums of binary fractions have small errors. */
export const roundedSum = (sum: number): number => Number(sum.toFixed(6))

/** Rounds an average to hundredths. */
export const roundedAverage = (average: number): number => Number(average.toFixed(2))
