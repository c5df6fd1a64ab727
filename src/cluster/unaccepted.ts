import type { ChildProcess } from 'node:child_process'

interface Passed {
  act?: string
  seq?: number
}

interface Handle {
  close(): void
}

/**
 * Closes the connections that a process was sent and had not accepted when it ended. node:cluster keeps them open, so
 * their clients would wait for an answer that nobody gives.
 */
export function closeUnaccepted(child: ChildProcess): void {
  const sent = new Map<number, Handle>()
  const send = child.send.bind(child) as (...args: unknown[]) => boolean
  child.send = (...args: unknown[]): boolean => {
    const [message, handle] = args as [Passed, Handle | undefined]
    // The handle is open until node:cluster gets the answer.
    if (message.act === 'newconn' && handle) sent.set(message.seq as number, handle)
    return send(...args)
  }
  child.prependListener('internalMessage', ({ ack }: { ack?: number }) => {
    if (ack !== undefined) sent.delete(ack)
  })
  child.once('exit', () => {
    for (const handle of sent.values()) handle.close()
    sent.clear()
  })
}
