import type { Message, MessageOf, Question, Questions } from './messages.ts'

type Handlers = { [Is in Message['is']]?: (message: MessageOf<Is>) => void }
type Answers = {
  [What in Question]?: (input: Questions[What][0]) => Questions[What][1] | Promise<Questions[What][1]>
}

/** The connection between the primary and one server process. */
export interface Channel {
  tell(message: Message): void
  /** Asks the other side. Rejects if the connection ends before the answer. */
  ask<What extends Question>(what: What, input: Questions[What][0]): Promise<Questions[What][1]>
  on(handlers: Handlers): void
  answers(answers: Answers): void
  /** Takes messages that have arrived. */
  receive(messages: Message[]): void
  /** The connection has ended. */
  end(): void
}

/** The other process does not answer, because it ends. */
export class ChannelEnded extends Error {
  override name = 'ChannelEnded'
}

/** `send` sends messages to the other side; it is called once per turn of the event loop. */
export function createChannel(send: (messages: Message[]) => void): Channel {
  const handlers: Handlers = {}
  const answering: Answers = {}
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  let waiting: Message[] = []
  let last = 0
  let hasEnded = false

  const tell = (message: Message): void => {
    if (hasEnded || waiting.push(message) > 1) return
    setImmediate(() => {
      const messages = waiting
      waiting = []
      if (!hasEnded) send(messages)
    })
  }
  const answer = async ({ id, what, input }: MessageOf<'ask'>): Promise<void> => {
    const value = await answering[what]?.(input as never)
    tell({ is: 'answer', id, value })
  }
  const take = (message: Message): void => {
    if (message.is === 'ask') void answer(message)
    else if (message.is === 'answer') {
      open.get(message.id)?.resolve(message.value)
      open.delete(message.id)
    } else handlers[message.is]?.(message as never)
  }
  return {
    tell,
    ask(what, input) {
      if (hasEnded) return Promise.reject(new ChannelEnded('the other process has ended'))
      const answered = Promise.withResolvers<unknown>()
      open.set(++last, answered)
      tell({ is: 'ask', id: last, what, input })
      return answered.promise as Promise<never>
    },
    on: (more) => void Object.assign(handlers, more),
    answers: (more) => void Object.assign(answering, more),
    receive: (messages) => messages.forEach(take),
    end() {
      hasEnded = true
      for (const { reject } of open.values()) reject(new ChannelEnded('the other process has ended'))
      open.clear()
    },
  }
}
