/** Returns up to two initials of a name: of its first and last word. Emoji and punctuation are no initials. */
export function initials(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => word.match(/[\p{L}\p{N}]/u) ?? [])
  return [letters[0], ...letters.slice(1).slice(-1)].join('').toLocaleUpperCase()
}
