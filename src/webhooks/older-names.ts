/** Kinds of records by their numbers in the older API. */
export const elementTypes = { contacts: 1, leads: 2, companies: 3, customers: 12 } as const

/** A time as text, `2026-11-23 09:30:00`, in UTC (H5). */
export const dateText = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
