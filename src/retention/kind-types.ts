/**
 * The kinds of rows that an account can have deleted by age, in the order of the page. `default_days` null is for
 * ever: people own it, so only they decide. `least_days` is the shortest period: until then something can still need
 * the rows, or somebody the evidence.
 */
export const kindTypes = {
  /** Everything that the log and the timelines of cards show. */
  events: { default_days: null, least_days: 90 },
  messages: { default_days: null, least_days: 90 },
  trash: { default_days: null, least_days: 30 },
  /** Values of records that were merged into others. */
  merged: { default_days: null, least_days: 30 },
  notes: { default_days: null, least_days: 30 },
  tasks: { default_days: null, least_days: 30 },
  audit: { default_days: null, least_days: 365 },
  /** Consents of which no token is left. */
  grants: { default_days: 90, least_days: 30 },
} as const satisfies Record<string, { default_days: number | null; least_days: number }>

export type KindName = keyof typeof kindTypes
export const kindNames = Object.keys(kindTypes) as KindName[]

/** The longest period: a hundred years. */
export const MOST_DAYS = 36_500
