import type { Description } from './description.ts'

type Value = string | number

const KEPT = 40
/** Members that do not identify objects. */
const PASSED_BY = new Set([
  'detail',
  'title',
  'type',
  'status',
  'request_id',
  '_page',
  '_page_count',
  '_total_items',
])

/**
 * Objects from earlier answers: addresses, ids and names, by the member that contained them. The oldest are dropped
 * first.
 */
export class Stock {
  readonly #description: Description
  readonly #values = new Map<string, Value[]>()
  readonly #places = new Map<string, Record<string, string>[]>()
  readonly #own = new Map<string, Value[]>()

  constructor(description: Description) {
    this.#description = description
  }

  /** Collects the objects in the answer of an address. */
  keep(path: string, body: unknown): void {
    const words = collectionsOf(path)
    this.#collect(body, words.at(-1) ?? '', words.slice(0, -1))
  }

  /** Adds values for requests to one address only, such as keys and tokens. */
  addFor(path: string, name: string, ...values: Value[]): void {
    this.#own.set(`${path} ${name}`, values)
  }

  isOwn(name: string, path: string): boolean {
    return this.#own.has(`${path} ${name}`)
  }

  /** A value for a request to the address, selected by the number. Undefined if there is none. */
  pick(name: string, path: string, number: number): Value | undefined {
    const special = this.#own.get(`${path} ${name}`)
    if (special) return special[number % special.length]
    const shelf = namesFor(name, path)
      .map((called) => this.#values.get(called))
      .find((found) => found !== undefined && found.length > 0)
    return shelf?.[number % shelf.length]
  }

  /** The parameters of an address at which an object was found. */
  place(path: string, number: number): Record<string, string> | undefined {
    // The address, or its longest known prefix.
    const ends = [...path.matchAll(/\}/g)].map(({ index }) => path.slice(0, index + 1)).toReversed()
    const shelf = [path, ...ends].map((end) => this.#places.get(end)).find((found) => found !== undefined)
    return shelf?.[number % shelf.length]
  }

  /** Collects the objects of a collection. `within` are the collections in the address before it. */
  #collect(value: unknown, collection: string, within: string[]): void {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 50)) this.#collect(item, collection, within)
      return
    }
    for (const [name, one] of Object.entries(value)) {
      if (PASSED_BY.has(name)) continue
      if (typeof one === 'object') this.#collect(one, Array.isArray(one) ? name : collection, within)
      else if (name === 'href' || name === 'upload_url' || name === 'next_url') this.#addPlace(String(one))
      else if (typeof one === 'number' || (typeof one === 'string' && one.length < 300 && one !== '')) {
        const isName = name === 'id' || name === 'uuid'
        this.#add(isName ? shelfOf(collection, name) : name, one)
        // Notes of leads and of contacts are separate.
        if (isName) for (const word of within) this.#add(`${word} ${shelfOf(collection, name)}`, one)
      }
    }
  }

  #add(name: string, value: Value): void {
    const shelf = this.#values.get(name) ?? []
    if (!shelf.includes(value)) shelf.push(value)
    if (shelf.length > KEPT) shelf.shift()
    this.#values.set(name, shelf)
  }

  #addPlace(href: string): void {
    const path = URL.parse(href)?.pathname
    if (path === undefined) return
    const found = this.#description.find('GET', path) ?? this.#description.find('POST', path)
    const template = found?.path
    if (!template?.includes('{')) return
    const parts = path.split('/')
    const params = Object.fromEntries(
      template.split('/').flatMap((part, i) => {
        const name = /^\{(\w+)\}$/.exec(part)?.[1]
        return name === undefined ? [] : [[name, parts[i] as string]]
      }),
    )
    const shelf = this.#places.get(template) ?? []
    if (shelf.push(params) > KEPT) shelf.shift()
    this.#places.set(template, shelf)
  }
}

/** Numbers and UUIDs of one collection are kept separately. */
const shelfOf = (collection: string, name: string): string =>
  name === 'id' ? collection : `${collection} uuid`

/** The collections of a name: `pipeline_id` is in pipelines, `id` in those of the address. */
function namesFor(name: string, path: string): string[] {
  const words = collectionsOf(path)
  if (name === 'id' || name === 'uuid' || name === 'merge') {
    const ofPath = words.toReversed().map((word) => shelfOf(word, name === 'uuid' ? name : 'id'))
    return [...(words.length > 1 ? [`${words.at(-2)} ${ofPath[0]}`] : []), ...ofPath]
  }
  if (isOfPerson(name)) return ['users']
  // The provider's id of a message, or ours.
  if (name === 'msgid') return ['messages', name]
  const [, one, kind] = /^(?:to_)?(\w+?)_(id|uuid)$/.exec(name) ?? []
  if (one === undefined || kind === undefined) return [name]
  if (one === 'entity') return [...words, 'leads', name]
  if (one === 'field') return [`${words[0]} custom_fields`, 'custom_fields', name]
  return [shelfOf(`${one}s`, kind), shelfOf(`${one.replace(/y$/, '')}ies`, kind), name]
}

const isOfPerson = (name: string): boolean => /^(?:created_by|updated_by|responsible_user_id)$/.test(name)

/** The parts of an address that name collections. The others are actions. */
const collectionsOf = (path: string): string[] => path.split('/').filter((part) => /^[a-z_]+s$/.test(part))
