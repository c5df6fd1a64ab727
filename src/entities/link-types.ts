/** The most links to records of one kind that a record has in `_embedded` (R27). */
export const MOST_EMBEDDED = 500
