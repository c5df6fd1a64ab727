import type { CallName, Calls, Message, MessageOf } from './messages.ts'

type Listeners = { [Is in Message['is']]?: (message: MessageOf<Is>) => void }
type Handlers = {
  [Name in CallName]?: (input: Calls[Name][0]) => Calls[Name][1] | Promise<Calls[Name][1]>
}

/** The connection between the primary and one server process. */
export interface Channel {
  send(message: Message): void
  /** Calls a handler of the other side. Rejects if the connection ends before the result. */
  call<Name extends CallName>(name: Name, input: Calls[Name][0]): Promise<Calls[Name][1]>
  on(listeners: Listeners): void
  handle(handlers: Handlers): void
  /** Takes messages that have arrived. */
  receive(messages: Message[]): void
  /** The connection has ended. */
  end(): void
}

/** The other process has ended before its result. */
export class ChannelEnded extends Error {
  override name = 'ChannelEnded'
}

/** `transmit` sends messages to the other side; it is called once per turn of the event loop. */
export function createChannel(transmit: (messages: Message[]) => void): Channel {
  const listeners: Listeners = {}
  const handlers: Handlers = {}
  const calls = new Map<number, PromiseWithResolvers<unknown>>()
  let waiting: Message[] = []
  let last = 0
  let hasEnded = false

  const send = (message: Message): void => {
    if (hasEnded || waiting.push(message) > 1) return
    setImmediate(() => {
      const messages = waiting
      waiting = []
      if (!hasEnded) transmit(messages)
    })
  }
  const handle = async ({ id, name, input }: MessageOf<'call'>): Promise<void> => {
    const value = await handlers[name]?.(input as never)
    send({ is: 'result', id, value })
  }
  const take = (message: Message): void => {
    if (message.is === 'call') void handle(message)
    else if (message.is === 'result') {
      calls.get(message.id)?.resolve(message.value)
      calls.delete(message.id)
    } else listeners[message.is]?.(message as never)
  }
  return {
    send,
    call(name, input) {
      if (hasEnded) return Promise.reject(new ChannelEnded('the other process has ended'))
      const call = Promise.withResolvers<unknown>()
      calls.set(++last, call)
      send({ is: 'call', id: last, name, input })
      return call.promise as Promise<never>
    },
    on: (more) => void Object.assign(listeners, more),
    handle: (more) => void Object.assign(handlers, more),
    receive: (messages) => messages.forEach(take),
    end() {
      hasEnded = true
      for (const { reject } of calls.values()) reject(new ChannelEnded('the other process has ended'))
      calls.clear()
    },
  }
}
