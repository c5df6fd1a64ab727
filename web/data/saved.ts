/** A new item, or the changed members of a stored one, which has an id. */
export type Saved<Draft> = (Draft & { id?: undefined }) | (Partial<Draft> & { id: number })
