import { describe, expect, test } from 'vitest'
import { commandLine } from '../../test/programs/command-line.ts'
import { ConfigError } from '../config.ts'
import { DatabaseUnavailable } from '../db/failures.ts'
import { NewerSchemaError } from '../db/migrate.ts'
import { invalid, Refusal } from '../errors.ts'
import { version } from '../package.ts'
import { settings } from '../setting-table.ts'
import { commandModules } from './commands.ts'
import type { Command, Options } from './run.ts'

const commands = (await Promise.all(Object.values(commandModules).map((load) => load()))).flat()

const run = (words: string[]) => commandLine(words)

/** A program with one command that stores its input, or fails. */
function small(fail?: unknown) {
  const given: [Options, string[]][] = []
  const copy: Command = {
    name: 'file copy',
    summary: 'Copy a file.',
    operands: ['FROM', 'TO'],
    options: {
      mode: { value: 'OCTAL', description: 'of the copy', required: true },
      force: { description: 'even when there is one' },
    },
    async run(options, operands) {
      given.push([options, operands])
      if (fail !== undefined) throw fail
    },
  }
  return { given, run: (...words: string[]) => commandLine(words, {}, '', { file: async () => [copy] }) }
}

const HELP = `Usage: patchbay file copy FROM TO [OPTION ...]

Copy a file.

  --mode OCTAL                 of the copy (required)
  --force                      even when there is one
`

test('A command is found by the first word of its name', async () => {
  for (const [word, load] of Object.entries(commandModules))
    for (const { name } of await load()) expect(name.split(' ')[0]).toBe(word)
})

describe('The help', () => {
  test.each([[[]], [['--help']], [['-h']], [['help']]])(
    'of the program for %j lists every command and setting',
    async (words) => {
      const { code, stdout, stderr } = await run(words)
      expect([code, stderr]).toEqual([0, ''])
      for (const { name, summary } of commands) expect(stdout).toContain(`  ${name.padEnd(20)} ${summary}\n`)
      for (const [name, [, sentence]] of Object.entries(settings))
        expect(stdout).toMatch(new RegExp(`\\n  ${name} +${sentence.slice(0, 10)}`))
    },
  )

  test.each(commands.map(({ name }) => [name]))('of %s lists its operands and options', async (name) => {
    const command = commands.find((one) => one.name === name) as Command
    for (const flag of ['--help', '-h']) {
      const { code, stdout, stderr } = await run([...name.split(' '), flag])
      expect([code, stderr]).toEqual([0, ''])
      const usage = `Usage: patchbay ${[name, ...(command.operands ?? [])].join(' ')}`
      expect(stdout.slice(0, usage.length)).toBe(usage)
      expect(stdout).toContain(command.summary)
      for (const [option, { description }] of Object.entries(command.options ?? {})) {
        expect(stdout).toContain(`--${option}`)
        expect(stdout).toContain(description)
      }
    }
  })

  test.each([['help file copy'], ['--help file copy'], ['help help file copy']])(
    'is that of the command for %s',
    async (words) => {
      expect(await small().run(...words.split(' '))).toEqual({ code: 0, stdout: HELP, stderr: '' })
    },
  )

  test('has this layout', async () => {
    expect(await small().run('file', 'copy', '--help')).toEqual({ code: 0, stdout: HELP, stderr: '' })
  })
})

test.each([['--version'], ['-v'], ['version']])('%s prints the version', async (word) => {
  expect(await run([word])).toEqual({ code: 0, stdout: `patchbay ${version}\n`, stderr: '' })
})

describe('Arguments', () => {
  test('are passed to the command', async () => {
    const { given, run } = small()
    expect(await run('file', 'copy', 'a', '--mode', '600', 'b', '--force')).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
    expect(await run('file', 'copy', '--mode=', '--', '-a', 'b')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(given).toEqual([
      [{ mode: '600', force: 'true' }, ['a', 'b']],
      [{ mode: '' }, ['-a', 'b']],
    ])
  })

  test.each([
    ['a required option that is missing', ['a', 'b'], '--mode is missing.\n\n'],
    ['an operand that is missing', ['a', '--mode', '6'], 'TO is missing.\n\n'],
    ['an operand too many', ['a', 'b', 'c', '--mode', '6'], 'Nothing takes the word "c".\n\n'],
    ['an option that nobody knows', ['a', 'b', '--mode', '6', '--fast'], /^Unknown option '--fast'/],
    ['an option without its value', ['a', 'b', '--mode'], /^Option '--mode <value>' argument missing/],
    [
      'a switch with a value',
      ['a', 'b', '--mode', '6', '--force=yes'],
      /^Option '--force' does not take an argument/,
    ],
  ])('%s is wrong usage: exit code 2, the fault and the help', async (_name, words, fault) => {
    const { given, run } = small()
    const { code, stdout, stderr } = await run('file', 'copy', ...words)
    expect([code, stdout, given]).toEqual([2, '', []])
    expect(stderr.endsWith(`${HELP}\n`)).toBe(true)
    if (typeof fault === 'string') expect(stderr).toBe(`${fault}${HELP}\n`)
    else expect(stderr).toMatch(fault)
  })

  test.each([['fly'], ['copy file'], ['filecopy'], ['fly --help'], ['help fly']])(
    'that name no command are wrong usage: %s',
    async (words) => {
      const { run } = small()
      const { code, stdout, stderr } = await run(...words.split(' '))
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(
        `There is no command "${words.replace(/ ?(--)?help ?/, '')}".\n\nUsage: patchbay COMMAND`,
      )
      expect(stderr).not.toContain('Environment')
    },
  )
})

describe('The first word of several commands', () => {
  test.each([[['file']], [['file', '--help']], [['file', '-h']]])('%j lists them', async (words) => {
    expect(await small().run(...words)).toEqual({ code: 0, stdout: HELP, stderr: '' })
  })

  test('with an unknown second word is wrong usage', async () => {
    expect(await small().run('file', 'move')).toEqual({
      code: 2,
      stdout: '',
      stderr: `There is no command "file move".\n\n${HELP}`,
    })
  })
})

describe('A command that fails', () => {
  const system = Object.assign(new Error("ENOENT: no such file or directory, open '/x'"), {
    code: 'ENOENT',
    syscall: 'open',
  })
  const fatal = Object.assign(new Error('password authentication failed for user "x"'), {
    code: '28P01',
    severity: 'FATAL',
  })
  const ofDatabase = (code: string, message: string) => Object.assign(new Error(message), { code })
  const BUSY =
    ': another program uses the same data, such as a backup. Repeat the command when it has ended.\n'
  test.each([
    ['by a setting', new ConfigError('PORT is not a port: x'), 'PORT is not a port: x\n'],
    ['by the age of the program', new NewerSchemaError('The database is newer.'), 'The database is newer.\n'],
    ['by a rule', new Refusal('conflict', 'It is taken.'), 'It is taken.\n'],
    [
      'by a rule of one member',
      invalid('name', 'TooLong', 'This is too long.'),
      'Request validation failed\n  name: This is too long.\n',
    ],
    ['by a file', system, "ENOENT: no such file or directory, open '/x'\n"],
    [
      'by an unreachable database, at any of its addresses',
      new AggregateError([system, system], ''),
      "ENOENT: no such file or directory, open '/x'\n",
    ],
    ['by a database that does not let it in', fatal, 'password authentication failed for user "x"\n'],
    ['by a full disk', ofDatabase('SQLITE_FULL', 'database or disk is full'), 'database or disk is full\n'],
    [
      'by a disk on which the embedded database cannot open its files',
      ofDatabase('SQLITE_IOERR_SHMSIZE', 'disk I/O error'),
      'disk I/O error: the disk is full or faulty.\n',
    ],
    [
      'by a role of PostgreSQL without rights',
      ofDatabase('42501', 'permission denied for schema public'),
      'permission denied for schema public\n',
    ],
    [
      'by a database whose connection has no encryption, of which its driver has no code',
      new DatabaseUnavailable('no connection to the server', {
        cause: new Error('The server does not support SSL connections'),
      }),
      'no connection to the server: The server does not support SSL connections\n',
    ],
    [
      'by a lock of PostgreSQL',
      ofDatabase('55P03', 'canceling statement due to lock timeout'),
      `canceling statement due to lock timeout${BUSY}`,
    ],
    [
      'by a lock of the embedded database',
      ofDatabase('SQLITE_BUSY', 'database is locked'),
      `database is locked${BUSY}`,
    ],
    ['by a text', 'enough', 'enough\n'],
  ])('%s prints a message: exit code 1', async (_name, error, message) => {
    expect(await small(error).run('file', 'copy', 'a', 'b', '--mode', '6')).toEqual({
      code: 1,
      stdout: '',
      stderr: message,
    })
  })

  test('by an internal error prints the stack: exit code 1', async () => {
    const { code, stderr } = await small(new TypeError('x is not a function')).run(
      'file',
      'copy',
      'a',
      'b',
      '--mode',
      '6',
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(/^TypeError: x is not a function\n {4}at .*run\.test\.ts/)
  })
})
