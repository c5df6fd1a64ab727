/**
 * Column types that are narrower than their SQL types: a Flag is 0 or 1; Json is text that `queries.ts` files parse
 * and serialise.
 */
export type Flag = 0 | 1
export type Json = string
