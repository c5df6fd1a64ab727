import { mkdirSync, readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Message {
  at: number
  /** `from` the customer, or `to` him. */
  direction: 'from' | 'to'
  customer: string
  type: string
  text: string
  media?: string | undefined
  /** Where the file is that came with it. */
  file?: string
  /** Of a message to him: what it was sent under, however often. */
  webhook_id?: string
  /** And what the account calls it. */
  message_id?: string
  state: 'sent' | 'kept' | 'shown' | 'read' | 'failed'
}

/** All messages, in a file that is replaced as a whole. A provider in earnest has a database here. */
export class Messages {
  readonly all: Message[]
  readonly #file: string
  #saving: Promise<void> = Promise.resolve()

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#file = join(folder, 'messages.json')
    this.all = readAll(this.#file)
  }

  /** The message that came under this id, for it comes again when our answer was lost. */
  find(webhook_id: string): Message | undefined {
    return this.all.find((message) => message.webhook_id === webhook_id)
  }

  /** Kept when this is done, whatever happens afterwards. */
  async add(message: Message): Promise<void> {
    this.all.push(message)
    await this.save()
  }

  /** One writing at a time, or an older state could be written last. */
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
