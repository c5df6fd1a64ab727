/** Whether tests take their long form, with more kills and more generated requests: `LONG_TESTS=1`. */
export const isLong = process.env.LONG_TESTS === '1'

/** How often something is done: `short` times, or `long` times in the long form. */
export const times = (short: number, long: number): number => (isLong ? long : short)
