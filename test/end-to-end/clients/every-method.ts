import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tell } from './errand.ts'

/** The calls of a client by `object.method`, in their order. Each checks the essential part of its result. */
export type Calls = Record<string, () => unknown>

/** The result of a walk. `fails` has the reason by method: the status that came, or the sentence of the check. */
export interface Summary {
  client: string
  version: string
  methods: number
  works: number
  fails: Record<string, string>
}

const require = createRequire(import.meta.url)

/** A walk through every public method of a client. A method without a call fails, so that new ones are noticed. */
export function openWalk(client: string) {
  const known = new Set<string>()
  const called = new Set<string>()

  /** Adds the public methods of an object. `hidden` are those that are not public. */
  const watch = <Target extends object>(name: string, target: Target, hidden: string[] = []): Target => {
    for (const method of methodsOf(target)) {
      if (hidden.includes(method)) continue
      known.add(`${name}.${method}`)
      const original = Reflect.get(target as object, method)
      Reflect.set(target, method, function (this: unknown, ...inputs: unknown[]) {
        called.add(`${name}.${method}`)
        return original.apply(this, inputs)
      })
    }
    return target
  }

  /** Makes the calls and prints the summary as the last line. */
  const run = async (...tables: Calls[]): Promise<void> => {
    const calls: Calls = Object.assign({}, ...tables)
    const fails: Record<string, string> = {}
    for (const method of known) if (!(method in calls)) fails[method] = 'no call for it'
    for (const [method, call] of Object.entries(calls)) {
      called.clear()
      try {
        await call()
        if (!called.has(method)) throw new Error('its call does not call it')
      } catch (error) {
        fails[method] = reasonOf(error)
        tell(method, error)
      }
    }
    const works = [...known].filter((method) => !(method in fails)).length
    const { version } = require(`${client}/package.json`)
    const summary: Summary = { client, version, methods: known.size, works, fails }
    process.stdout.write(`${JSON.stringify(summary)}\n`)
  }
  return { watch, run }
}

/** The names that a class declares private or protected, in the file with its types. */
export const hiddenIn = (types: string): string[] =>
  [
    ...readFileSync(require.resolve(types), 'utf8').matchAll(/(?:private|protected) (?:readonly )?(\w+)/g),
  ].map(([, name = '']) => name)

/** The functions of an object and of its classes, without those of every emitter of events. */
function methodsOf(target: object): string[] {
  const names = new Set<string>()
  for (let owner = target; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    if (Object.hasOwn(owner, 'emit')) break
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (typeof value === 'function' && name !== 'constructor') names.add(name)
  }
  return [...names]
}

/** The clients throw errors of several forms: with a response, with its body, or with the status in their sentence. */
function reasonOf(error: unknown): string {
  const { message, data, response } = error as {
    message: string
    data?: { status?: number }
    response?: { status?: number }
  }
  const status = response?.status ?? data?.status ?? /\b[2-5]\d\d(?= |$)/.exec(message)?.[0]
  return status ? String(status) : (message.split('\n')[0] as string)
}
