import { parseArgs } from 'node:util'
import { OperatorError, Refusal } from '../errors.ts'
import { version } from '../package.ts'
import { settings } from '../setting-table.ts'
import { printable } from './printable.ts'

export interface Option {
  /** The placeholder of the value in the help; undefined for a switch. */
  value?: string
  description: string
  required?: boolean
  /** It can be given several times; `run` gets the values separated by newlines. */
  isRepeated?: boolean
}

export type Options = Record<string, string | undefined>

/** A command of the program. `run` resolves when it is done; its output goes to standard output. */
export interface Command {
  name: string
  summary: string
  /** Names of the operands, in order. One in brackets can be left out. */
  operands?: string[]
  options?: Record<string, Option>
  run(options: Options, operands: string[]): Promise<void>
}

/** Loads the commands whose names begin with a word, by this word. */
export type CommandModules = Readonly<Record<string, () => Promise<Command[]>>>

/** The words for a question about the program itself, as the first one. */
const VERSION = ['--version', '-v', 'version']
const HELP = ['--help', '-h', 'help']

const withoutHelp = (words: string[]): string[] => words.filter((word) => !HELP.includes(word))

class UsageError extends OperatorError {
  override name = 'UsageError'
}

/** Finds and runs the command, and returns the exit code: 0, 1 for a refusal, 2 for wrong usage. */
export async function runCommand(modules: CommandModules, words: string[]): Promise<number> {
  try {
    const [first = ''] = words
    // `help account create` is `account create --help`.
    const asked = HELP.includes(first) ? withoutHelp(words) : []
    if (asked.length > 0) return await runCommand(modules, [...asked, '--help'])
    if (VERSION.includes(first)) {
      process.stdout.write(`patchbay ${version}\n`)
      return 0
    }
    const group = Object.hasOwn(modules, first) ? await modules[first]?.() : undefined
    const command = group?.find(({ name }) => name.split(' ').every((word, i) => words[i] === word))
    if (!command) return group ? showGroupHelp(group, words) : await showProgramHelp(modules, words)
    const rest = words.slice(command.name.split(' ').length)
    if (rest.includes('--help') || rest.includes('-h')) {
      process.stdout.write(commandHelp(command))
      return 0
    }
    const { options, operands } = readWords(command, rest)
    await command.run(options, operands)
    return 0
  } catch (error) {
    process.stderr.write(`${printable(await errorText(error))}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

/** One line for an error that the operator can fix; all others with their stack. */
async function errorText(error: unknown): Promise<string> {
  if (error instanceof Refusal) {
    const faults = error.faults.map(({ path, detail }) => `  ${path}: ${detail}`)
    return [error.message, ...faults].join('\n')
  }
  if (error instanceof OperatorError) return error.message
  const { machineError } = await import('./machine-errors.ts')
  return machineError(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
}

function readWords(command: Command, words: string[]): { options: Options; operands: string[] } {
  const known = command.options ?? {}
  const types = Object.fromEntries(
    Object.entries(known).map(([name, { value, isRepeated = false }]) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const), multiple: isRepeated },
    ]),
  )
  let read: { values: Record<string, unknown>; positionals: string[] }
  try {
    read = parseArgs({ args: words, options: types, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${commandHelp(command)}`)
  }
  const missing = Object.entries(known).find(
    ([name, { required }]) => required && read.values[name] === undefined,
  )
  if (missing) throw new UsageError(`--${missing[0]} is missing.\n\n${commandHelp(command)}`)
  const { operands = [] } = command
  const required = operands.filter((name) => !name.startsWith('['))
  const absent = required[read.positionals.length]
  if (absent !== undefined) throw new UsageError(`${absent} is missing.\n\n${commandHelp(command)}`)
  const surplus = read.positionals[operands.length]
  if (surplus !== undefined)
    throw new UsageError(`Nothing takes the word "${surplus}".\n\n${commandHelp(command)}`)
  const options = Object.fromEntries(
    Object.entries(read.values).map(([name, value]) => [name, [value].flat().join('\n')]),
  )
  return { options, operands: read.positionals }
}

/** Prints the help of a group of commands (`patchbay channel --help`). */
function showGroupHelp(members: Command[], [group, ...rest]: string[]): number {
  const isHelp = rest.length === 0 || rest.includes('--help') || rest.includes('-h')
  const help = members.map(commandHelp).join('\n')
  ;(isHelp ? process.stdout : process.stderr).write(
    isHelp ? help : `There is no command "${[group, ...rest].join(' ')}".\n\n${help}`,
  )
  return isHelp ? 0 : 2
}

/** Prints the commands, and in the help also the environment. */
async function showProgramHelp(modules: CommandModules, words: string[]): Promise<number> {
  const commands = (await Promise.all(Object.values(modules).map((load) => load()))).flat()
  const usage = [
    'Usage: patchbay COMMAND [OPTION ...]',
    '       patchbay --version',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(20)} ${summary}`),
    '',
  ]
  const [first] = words
  if (first !== undefined && !HELP.includes(first)) {
    process.stderr.write(`There is no command "${withoutHelp(words).join(' ')}".\n\n${usage.join('\n')}`)
    return 2
  }
  const width = Math.max(...Object.keys(settings).map((name) => name.length))
  const environment = Object.entries(settings).map(
    ([name, [standard, sentence]]) =>
      `  ${name.padEnd(width)} ${sentence}${standard ? ` [${standard}]` : ''}`,
  )
  process.stdout.write([...usage, 'Environment:', ...environment, ''].join('\n'))
  return 0
}

function commandHelp({ name, summary, operands = [], options = {} }: Command): string {
  const lines = Object.entries(options).map(([option, { value, description, required }]) => {
    const words = `--${option}${value ? ` ${value}` : ''}`
    return `  ${words.padEnd(28)} ${description}${required ? ' (required)' : ''}`
  })
  const usage = ['Usage: patchbay', name, ...operands, ...(lines.length > 0 ? ['[OPTION ...]'] : [])].join(
    ' ',
  )
  return `${[usage, '', summary, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n')}\n`
}
