import type { Note } from '../data/timeline.ts'
import { clock } from '../parts/use-now.ts'

/** What any note may have of what a line can say. */
interface Params {
  text?: string
  phone?: string
  duration?: number
  file_name?: string
  url?: string
  campaign?: string
  address?: string
}

/** A note in one line: its text, the file, the number and length of a call. */
export function noteText({ params }: Note): string {
  const { text, phone, duration, file_name, url, campaign } = params as Params
  const length = duration === undefined ? undefined : clock(duration)
  const said = [phone, length, text || file_name || url || campaign].filter(Boolean)
  return said.join(' · ')
}
