/** Texts under each other, without empty ones. */
export const joined = (...texts: string[]): string => texts.filter(Boolean).join('\n')

/** The text that follows these lines; null if it does not begin with them. */
export function linesAfter(lines: string, text: string): string | null {
  if (lines === '' || text === lines) return text.slice(lines.length)
  return text.startsWith(`${lines}\n`) ? text.slice(lines.length + 1) : null
}
