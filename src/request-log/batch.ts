import { type Entry, lengthOf } from './entries.ts'
import { pack } from './packing.ts'
import { BATCH_ROWS } from './search.ts'

/** A batch is read as a whole, so it is also bounded in bytes. */
const BATCH_BYTES = 1_048_576
/** Entries are written into these buffers by turns, so that no memory is taken for each batch. */
const spare: Buffer[] = []
const BUFFER_BYTES = 131_072
const MOST_SPARE = 8
/** UTF-8 has at most this many bytes for a unit of a string. */
const WIDEST = 3

/** Bytes that grow. */
class Bytes {
  #buffer = spare.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES)
  length = 0

  write(text: string): void {
    this.#reserve(text.length * WIDEST)
    this.length += this.#buffer.write(text, this.length)
  }

  append(bytes: Bytes): void {
    this.#reserve(bytes.length)
    this.length += bytes.content.copy(this.#buffer, this.length)
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.length + more))
    this.content.copy(larger)
    this.#buffer = larger
  }

  get content(): Buffer {
    return this.#buffer.subarray(0, this.length)
  }

  /** The content must not be used after this. */
  release(): void {
    if (spare.length < MOST_SPARE && this.#buffer.length === BUFFER_BYTES) spare.push(this.#buffer)
    this.#buffer = NONE
  }
}

const NONE = Buffer.alloc(0)

/**
 * Requests of one account that become one row. They are encoded when they are added, because bytes are outside of the heap:
 * as strings, they would wait long enough to be copied by the collector several times, which costs more than the rest.
 */
export class Batch {
  readonly account_id: number
  count = 0
  /** The length of its texts. */
  cost = 0
  /** When the last of them began, in milliseconds. */
  #at = 0
  readonly #heads = new Bytes()
  readonly #messages = new Bytes()

  constructor(account_id: number) {
    this.account_id = account_id
  }

  get size(): number {
    return this.#heads.length + this.#messages.length
  }

  /** Whether so many more requests fit, and so many bytes. A single request always fits. */
  hasRoomFor(count: number, size: number): boolean {
    return this.count === 0 || (this.count + count <= BATCH_ROWS && this.size + size <= BATCH_BYTES)
  }

  add(entry: Entry): void {
    this.count++
    this.cost += lengthOf(entry)
    this.#at = Math.max(this.#at, entry.at)
    this.#heads.write(entry.head)
    for (const text of entry.messages) this.#messages.write(text)
  }

  /** Adds the requests of another batch behind its own. The other one is used up. */
  join(other: Batch): void {
    this.count += other.count
    this.#at = Math.max(this.#at, other.#at)
    this.#heads.append(other.#heads)
    this.#messages.append(other.#messages)
    other.#release()
  }

  /** The row of the batch, which is used up. */
  toRow() {
    const { account_id, count } = this
    const row = {
      ...{ account_id, count, at: this.#at },
      heads: pack(this.#heads.content),
      messages: pack(this.#messages.content),
    }
    this.#release()
    return row
  }

  #release(): void {
    this.#heads.release()
    this.#messages.release()
  }
}

export type BatchDraft = ReturnType<Batch['toRow']>
