/** Whether tests run in their long form, with more kills and more generated requests: `LONG_TESTS=1`. */
export const isLong = process.env.LONG_TESTS === '1'

/** The number of repetitions: `short`, or `long` in the long form. */
export const times = (short: number, long: number): number => (isLong ? long : short)

/**
 * Whether an expensive test that seldom differs by database runs on this one: in the short form only on the database that
 * is named, in the long form on both.
 */
export const runsOn = (database: 'sqlite' | 'postgres'): boolean =>
  isLong || (process.env.TEST_DATABASE ?? 'sqlite') === database
