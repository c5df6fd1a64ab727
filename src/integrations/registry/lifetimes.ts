/** Lifetimes from the specification's table of limits, in seconds (A2). */
export const CODE_SECONDS = 20 * 60
export const ACCESS_SECONDS = 86_400
export const CONSENT_FORM_SECONDS = 10 * 60
/** How long codes and pairs are kept after they have expired, to detect a replay and to explain why they are refused (Q14). */
export const HISTORY_SECONDS = 30 * 86_400

const REFRESH_MONTHS = 3

/** Three calendar months later, in UTC. If the day does not exist, the last day of the month. */
export function refreshExpiry(issued_at: number): number {
  const from = new Date(issued_at * 1000)
  const to = new Date(from)
  to.setUTCDate(1)
  to.setUTCMonth(to.getUTCMonth() + REFRESH_MONTHS)
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate()
  to.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return Math.floor(to.getTime() / 1000)
}
