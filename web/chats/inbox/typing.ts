import { useEffect, useState } from 'react'
import type { Chat } from '../../data/chats.ts'

const now = () => Date.now() / 1000

/** Returns whether the client is typing; this ends by the clock, without an event. */
export function useIsTyping({ typing_until }: Pick<Chat, 'typing_until'>): boolean {
  const [, setEndedAt] = useState(0)
  const left = (typing_until ?? 0) - now()
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setEndedAt(now()), left * 1000 + 50)
    return () => clearTimeout(timer)
  }, [left])
  return left > 0
}
