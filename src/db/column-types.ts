/** Columns whose type says less than what they hold: a Flag is 0 or 1; Json is text that `queries.ts` files read and write. */
export type Flag = 0 | 1
export type Json = string
