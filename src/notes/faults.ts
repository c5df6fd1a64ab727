export const NO_NOTE = 'There is no such note.'

export const NO_FILE = 'There is no such file in the file service of this account.'

/** The name of an item: what it calls itself, or its place. */
export const nameOf = ({ request_id }: { request_id?: string | number | undefined }, i: number): string =>
  String(request_id ?? i)
