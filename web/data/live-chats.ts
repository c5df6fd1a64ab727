import { readChat } from './chat-cache.ts'
import { chatKeys } from './chats.ts'
import { timelineKey } from './events.ts'
import { followStream } from '../api/follow-stream.ts'
import { queryClient } from './query-client.ts'

/** Milliseconds: how long what happens is gathered before it is read, and the rests between two readings. */
const GATHER = 60
const REST = 400
const COUNT_REST = 2_000
/** Conversations whose last version is known. */
const REMEMBERED = 5_000
/** More conversations than this at once are read as lists. */
const MANY = 8

/** Follows the conversations of the account until the answer is called. */
export function followChats(): () => void {
  const gathered = gather()
  const told = new Map<string, number>()
  const stop = followStream({
    path: '/web/v4/chats',
    event: 'chat',
    onData(data) {
      const { id, version } = JSON.parse(data) as { id: string; version: number }
      // A stream that comes back begins a little before where it broke.
      if (told.get(id) === version) return
      if (told.size >= REMEMBERED) told.clear()
      told.set(id, version)
      gathered.add(id)
    },
    onReturn: () => queryClient.invalidateQueries({ queryKey: chatKeys.all }),
  })
  return () => {
    stop()
    gathered.end()
  }
}

/** Conversations that changed, read together: at once after a quiet time, and seldom while much happens. */
function gather() {
  let ids = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let readAt = 0
  const count = seldom(() => queryClient.invalidateQueries({ queryKey: chatKeys.unread }), COUNT_REST)

  const read = async () => {
    const now = ids
    ids = new Set()
    readAt = Date.now()
    if (now.size > MANY) queryClient.invalidateQueries({ queryKey: chatKeys.all })
    else await Promise.all([...now].map(readChat))
    count.run()
    queryClient.invalidateQueries({ queryKey: timelineKey })
  }
  return {
    add(id: string) {
      ids.add(id)
      if (timer !== undefined) return
      const wait = Math.max(GATHER, readAt + REST - Date.now())
      timer = setTimeout(() => {
        timer = undefined
        read()
      }, wait)
    },
    end() {
      clearTimeout(timer)
      count.end()
    },
  }
}

/** Runs at once, and once more after a rest for all that was asked meanwhile. */
function seldom(run: () => void, rest: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsked = false
  const start = () => {
    run()
    timer = setTimeout(() => {
      timer = undefined
      if (!isAsked) return
      isAsked = false
      start()
    }, rest)
  }
  return {
    run() {
      if (timer === undefined) start()
      else isAsked = true
    },
    end: () => clearTimeout(timer),
  }
}
