import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Chat, markRead } from '../../data/chats.ts'

const isLookedAt = () => document.visibilityState === 'visible' && document.hasFocus()

/**
 * Marks a conversation as read when its end is visible and the page has the focus. People who cannot reply leave
 * it unread for those who can.
 */
export function useMarkRead(chat: Chat): (isEndInSight: boolean) => void {
  const [isEndInSight, setIsEndInSight] = useState(false)
  const asked = useRef(0)
  const { mutate } = useMutation(markRead)
  const { id, is_read, can_write, version } = chat
  const markIfSeen = useCallback(() => {
    if (is_read || !can_write || !isEndInSight || asked.current === version || !isLookedAt()) return
    asked.current = version
    mutate(id)
  }, [id, is_read, can_write, version, isEndInSight, mutate])

  useEffect(() => {
    markIfSeen()
    window.addEventListener('focus', markIfSeen)
    document.addEventListener('visibilitychange', markIfSeen)
    return () => {
      window.removeEventListener('focus', markIfSeen)
      document.removeEventListener('visibilitychange', markIfSeen)
    }
  }, [markIfSeen])
  return setIsEndInSight
}
