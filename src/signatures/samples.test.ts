import { spawnSync } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type RecipeId, recipes } from './recipes.ts'
import { type Language, samplesOf } from './samples.ts'

const BODY = '{"text":"Привет / ñ 😀"}'
const DATE = 'Sun, 01 Mar 2026 12:00:00 GMT'
const KEY = Buffer.alloc(32, 5).toString('base64')

const hmac = (algorithm: string, key: string | Buffer, text: string) =>
  createHmac(algorithm, key).update(text)

/** The arguments of each sample, and what it must return. */
const cases: Record<RecipeId, { args: string[]; signature: string }> = {
  chat_body: { args: ['s3cret', BODY], signature: hmac('sha1', 's3cret', BODY).digest('hex') },
  chat_lines: {
    args: ['s3cret', BODY, 'POST', 'application/json', DATE, '/v2/origin/custom/a_b'],
    signature: hmac(
      'sha1',
      's3cret',
      `POST\n${createHash('md5').update(BODY).digest('hex')}\napplication/json\n${DATE}\n/v2/origin/custom/a_b`,
    ).digest('hex'),
  },
  webhook: { args: [`whsec_${KEY}`, BODY], signature: hmac('sha256', `whsec_${KEY}`, BODY).digest('hex') },
  webhook_standard: {
    args: [`whsec_${KEY}`, BODY, 'msg_1', '1772366400'],
    signature: hmac('sha256', Buffer.from(KEY, 'base64'), `msg_1.1772366400.${BODY}`).digest('base64'),
  },
  disable_hook: {
    args: ['s3cret', 'c-1', '42'],
    signature: hmac('sha256', 's3cret', 'c-1|42').digest('hex'),
  },
}

interface Run {
  command: string
  probe: string[]
  file: string
  /** A program that calls the sample with its arguments and prints the signature. */
  program(sample: string, args: string[]): string
  run(file: string): string[]
}

const list = (args: string[]): string => args.map((arg) => JSON.stringify(arg)).join(', ')
/** Imports that a sample of Go names in its first line. */
const goImports = (sample: string): string =>
  [...(sample.split('\n', 1)[0] as string).matchAll(/"[^"]+"/g)].map(([name]) => `\t${name}`).join('\n')

const runs: Record<Language, Run> = {
  typescript: {
    command: process.execPath,
    probe: ['--version'],
    file: 'sample.mts',
    program: (sample, args) => `${sample}\nconsole.log(sign(${list(args)}))\n`,
    run: (file) => [file],
  },
  python: {
    command: 'python3',
    probe: ['--version'],
    file: 'sample.py',
    program: (sample, args) => `${sample}\nprint(sign(${list(args)}))\n`,
    run: (file) => [file],
  },
  php: {
    command: 'php',
    probe: ['--version'],
    file: 'sample.php',
    program: (sample, args) => `<?php\n${sample}\necho sign(${list(args).replaceAll('$', '\\$')}), "\\n";\n`,
    run: (file) => [file],
  },
  go: {
    command: 'go',
    probe: ['version'],
    file: 'sample.go',
    program: (sample, args) =>
      `package main\n\nimport (\n\t"fmt"\n${goImports(sample)}\n)\n\n${sample}\nfunc main() {\n\tfmt.Println(sign(${list(args)}))\n}\n`,
    run: (file) => ['run', file],
  },
  ruby: {
    command: 'ruby',
    probe: ['--version'],
    file: 'sample.rb',
    program: (sample, args) => `${sample}\nputs sign(${list(args)})\n`,
    run: (file) => [file],
  },
}

const isInstalled = ({ command, probe }: Run): boolean => spawnSync(command, probe).status === 0

describe.each(Object.keys(runs) as Language[])('The samples in %s', (language) => {
  const one = runs[language]
  // Where this shows as skipped the language is not installed: then these samples were not run.
  test.skipIf(!isInstalled(one)).each(Object.keys(recipes) as RecipeId[])(
    'sign by the recipe %s',
    (recipe) => {
      const folder = mkdtempSync(join(tmpdir(), 'patchbay-sample-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const { args, signature } = cases[recipe]
      const file = join(folder, one.file)
      writeFileSync(file, one.program(samplesOf(recipe)[language], args))
      const { stdout, stderr } = spawnSync(one.command, one.run(file), { encoding: 'utf8' })
      expect([stdout.trim(), stderr]).toEqual([signature, ''])
    },
  )
})
