import { useEffect, useState } from 'react'
import type { Chat } from '../../data/chats.ts'

const now = () => Date.now() / 1000

/** Whether the other side is writing; it ends by the clock, without a word from the server. */
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
