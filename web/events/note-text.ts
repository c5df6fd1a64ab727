import type { Note } from '../data/timeline.ts'
import { clock } from '../parts/texts/use-now.ts'

/** The properties of notes that a line can show. */
interface Params {
  text?: string
  phone?: string
  duration?: number
  file_name?: string
  url?: string
  campaign?: string
  address?: string
}

/** Returns a one-line summary of a note: its text, its file, or the phone and duration of a call. */
export function noteText({ params }: Note): string {
  const { text, phone, duration, file_name, url, campaign } = params as Params
  const length = duration === undefined ? undefined : clock(duration)
  const parts = [phone, length, text || file_name || url || campaign].filter(Boolean)
  return parts.join(' · ')
}
