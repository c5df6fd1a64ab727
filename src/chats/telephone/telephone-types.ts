/** Ids of customers and conversations of the telephone begin with this. It acts in no other conversation. */
export const TELEPHONE = 'telephone-'
