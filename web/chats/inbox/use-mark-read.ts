import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { keepChat } from '../../data/chat-cache.ts'
import { type Chat, chatKeys, markRead } from '../../data/chats.ts'
import { queryClient } from '../../data/query-client.ts'

const isLookedAt = () => document.visibilityState === 'visible' && document.hasFocus()

/**
 * Marks a conversation as read when its end has been seen: in sight, on a page that has the focus. Who may not answer in
 * it leaves it unread for those who may.
 */
export function useMarkRead(chat: Chat): (isEndInSight: boolean) => void {
  const [isEndInSight, setIsEndInSight] = useState(false)
  const asked = useRef(0)
  const { mutate } = useMutation({
    ...markRead,
    onSuccess: (read) => {
      keepChat(read)
      queryClient.invalidateQueries({ queryKey: chatKeys.unread })
    },
  })
  const { id, is_read, can_write, version } = chat
  const look = useCallback(() => {
    if (is_read || !can_write || !isEndInSight || asked.current === version || !isLookedAt()) return
    asked.current = version
    mutate(id)
  }, [id, is_read, can_write, version, isEndInSight, mutate])

  useEffect(() => {
    look()
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [look])
  return setIsEndInSight
}
