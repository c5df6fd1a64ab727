/** The text of a status, for the codes that have none of their own. */
const ofStatus: Record<number, string> = {
  401: 'not_authorized',
  402: 'unpaid',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  412: 'changed_meanwhile',
  413: 'too_large',
  429: 'too_many',
  503: 'unavailable',
  507: 'disk_full',
}

/** The name of the text of a refusal: its code, or else its status decides. */
export const problemKey = (status: number, code: string, hasText: (code: string) => boolean): string =>
  hasText(code) ? code : (ofStatus[status] ?? (status < 500 ? 'invalid' : 'internal'))
