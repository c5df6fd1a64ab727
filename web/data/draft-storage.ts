/** The storage of this tab. If the browser refuses it, drafts last as long as the page. */
const PREFIX = 'patchbay-draft '

/** The key of a draft. It contains the person, so that nobody else sees the draft. */
export const draftPlace = (user_id: number | undefined, ...rest: (string | number | undefined)[]): string =>
  `${PREFIX}${user_id ?? 0} ${rest.join(' ')}`

export function storeDraft(place: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, text)
  } catch {}
}

export function storedDraft(place: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? 'null')
  } catch {
    return null
  }
}

/** Removes the drafts of all other people, or of everybody without an argument. */
export function forgetDrafts(except?: number): void {
  try {
    for (const place of Object.keys(sessionStorage))
      if (place.startsWith(PREFIX) && (except === undefined || !place.startsWith(`${PREFIX}${except} `)))
        sessionStorage.removeItem(place)
  } catch {}
}
