/** Parses `2:05` or `125` as seconds; empty is 0, and invalid text is null. */
export function secondsOf(text: string): number | null {
  if (text.trim() === '') return 0
  const [, hours = '0', minutes = '0', seconds] =
    /^\s*(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6})\s*$/.exec(text) ?? []
  if (seconds === undefined) return null
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
