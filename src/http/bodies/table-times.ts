import { localText, offsetsOf } from '../../local-days.ts'

/** How the moments of a table are written. A table has no time zone, so its cells or its headings say which. */
export interface TableTimes {
  text(seconds: number): string
  heading(name: string): string
}

export const utcTimes: TableTimes = {
  text: (seconds) => new Date(seconds * 1_000).toISOString().replace('.000', ''),
  heading: (name) => name,
}

/** For people: spreadsheets calculate with these times, which they do not with a zone in the cell. */
export function localTimes(zone: string): TableTimes {
  const offset = offsetsOf(zone)
  return {
    text: (seconds) => localText(seconds, offset),
    heading: (name) => `${name} (${zone})`,
  }
}
