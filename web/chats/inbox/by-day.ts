import type { ChatMessage } from '../../data/messages.ts'

/** Seconds within which messages of one person are grouped under their name. */
const TOGETHER = 300

export interface Placed {
  message: ChatMessage
  /** Continues the group of the previous message. */
  goesOn: boolean
}
export interface Day {
  at: number
  messages: Placed[]
}

const authorOf = ({ direction, author }: ChatMessage) => `${direction} ${author.type} ${author.id}`
const dayOf = (at: number) => new Date(at * 1000).toDateString()

/** Groups messages by day in the reader's time zone, oldest first. */
export function byDay(messages: ChatMessage[]): Day[] {
  const days: Day[] = []
  let last: ChatMessage | undefined
  for (const message of messages) {
    const isNewDay = !last || dayOf(last.sent_at) !== dayOf(message.sent_at)
    const goesOn =
      !isNewDay &&
      last !== undefined &&
      authorOf(last) === authorOf(message) &&
      message.sent_at - last.sent_at < TOGETHER
    if (isNewDay) days.push({ at: message.sent_at, messages: [] })
    days.at(-1)?.messages.push({ message, goesOn })
    last = message
  }
  return days
}
