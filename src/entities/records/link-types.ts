/** Kinds with at most one company: a new one replaces it. */
export const ONE_COMPANY: readonly string[] = ['leads', 'contacts']
/** Kinds with a main contact. */
export const MAIN_CONTACT: readonly string[] = ['leads', 'customers']

/** The most links to records of one kind that a record has in `_embedded` (R27). */
export const MOST_EMBEDDED = 500
