import { mkdirSync, readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Message {
  at: number
  /** `from` the customer or `to` them. */
  direction: 'from' | 'to'
  customer: string
  type: string
  text: string
  media?: string | undefined
  /** The file of the message. */
  file?: string
  /** Of a message to the customer: the id of the webhook, which is the same in repetitions. */
  webhook_id?: string
  /** The account's id of the message. */
  message_id?: string
  state: 'sent' | 'kept' | 'shown' | 'read' | 'failed'
}

/** All messages, in a file that is replaced as a whole. A real provider would use a database. */
export class Messages {
  readonly all: Message[]
  readonly #file: string
  #saving: Promise<void> = Promise.resolve()

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#file = join(folder, 'messages.json')
    this.all = readAll(this.#file)
  }

  /** The message with this webhook id. A webhook is repeated if its answer was lost. */
  find(webhook_id: string): Message | undefined {
    return this.all.find((message) => message.webhook_id === webhook_id)
  }

  /** The message is stored when the promise resolves. */
  async add(message: Message): Promise<void> {
    this.all.push(message)
    await this.save()
  }

  /** Writes run one at a time, so that an older state cannot be written last. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(async () => {
      await writeFile(`${this.#file}.new`, JSON.stringify(this.all), { mode: 0o600, flush: true })
      await rename(`${this.#file}.new`, this.#file)
    })
    return this.#saving
  }
}

function readAll(file: string): Message[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
}
