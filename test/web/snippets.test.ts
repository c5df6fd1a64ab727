import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { LoggedExchange } from '../../src/request-log/schemas.ts'
import { callOf } from '../../web/request-log/snippets/call.ts'
import { type Language, languages } from '../../web/request-log/snippets/languages.ts'
import { answering } from '../fixtures/deliveries.ts'
import { temporaryFolder } from '../programs/temporary-folder.ts'

const run = promisify(execFile)
const SECRET = `s3cret'"$(id)`
const NOTE = `it's "quoted" $HOME \\ \`id\``

interface Runner {
  file: string
  command: string
  /** The arguments that show that the language is there, with its library. */
  check: string[]
  /** Several pieces of code as one program, because some programs take seconds to start. */
  join: (codes: string[]) => string
}

const byLines = (codes: string[]) => codes.join('\n')

const runners: Record<Language, Runner> = {
  curl: { file: 'call.sh', command: 'sh', check: ['-c', 'curl --version'], join: byLines },
  php: {
    file: 'call.php',
    command: 'php',
    check: ['-r', 'curl_version();'],
    join: (codes) => codes.join(' ?>'),
  },
  python: { file: 'call.py', command: 'python3', check: ['-c', 'import requests'], join: byLines },
  typescript: {
    file: 'call.mts',
    command: process.execPath,
    check: ['--version'],
    join: (codes) => byLines(codes.map((code) => `{\n${code}\n}`)),
  },
}

const available = async ({ command, check }: Runner): Promise<boolean> =>
  run(command, check).then(
    () => true,
    () => false,
  )

/** Runs code as a person would who has copied it. */
async function execute(language: Language, codes: string[]): Promise<string> {
  const { file, command, join: joined } = runners[language]
  const folder = temporaryFolder()
  writeFileSync(join(folder, file), joined(codes))
  const env = { ...process.env, TOKEN: SECRET }
  const { stdout } = await run(command, [join(folder, file)], { cwd: folder, env })
  return stdout
}

type Parts = Partial<Omit<LoggedExchange, 'request'>> & {
  body?: string | null
  headers?: Record<string, string>
}

const exchange = (host: string, of: Parts): LoggedExchange => {
  const { body = null, headers = { 'content-type': 'application/json' }, ...rest } = of
  return {
    ...{
      id: 1,
      at: 0,
      duration_ms: 1,
      direction: 'in',
      method: 'POST',
      host,
      path: '/api/v4/leads',
      query: '',
    },
    ...{ operation: 'leads.create', integration_id: 'i', user_id: 1, grant_id: 'g', generation: 0 },
    ...{ request_id: 'r', status: 200, error: null, unread: [], why: null },
    request: {
      headers,
      body,
      size: Buffer.byteLength(body ?? ''),
      is_cut: false,
    },
    response: { headers: {}, body: null, size: 0, is_cut: false },
    ...rest,
  } as LoggedExchange
}

/** Bodies that end a literal, start an expression, or are changed by a careless program. */
const hostile: Record<string, string> = {
  'single quotes': `[{"name":"O'Brien's ''lead''"}]`,
  'double quotes and backslashes': '[{"name":"\\"x\\" \\\\ \\n \\u0041 \\\\\'"}]',
  'expressions of a shell, PHP and templates': '{"a":"$HOME `id` $(id) $' + '{x} {$y} %s \\x41 !!"}',
  'line ends and tabs': '{\n\t"a": "b"\r\n}\n',
  'letters of other scripts and emoji': '{"имя":"Велосипед 🚲 \u2028 é ﷽"}',
  'control characters': 'a\u0001b\u001bc\u007fd\u0085e\ufefff',
  'a file name': '@/etc/hostname',
  'an option': '--data-raw -x',
  'the end of a script': '<?php ?> </script> \'\'\'\n"""\nEOF',
  'a form': `name=${encodeURIComponent("O'Brien & Söhne")}&a[]=1`,
}

describe.each(Object.keys(languages) as Language[])('A request copied as %s', (language) => {
  const { write } = languages[language]

  test('sends the same method, address, headers and bytes, for every hostile body', async (context) => {
    if (!(await available(runners[language]))) return context.skip('the language is not installed')
    const receiver = await answering(() => ({ status: 200, body: 'thanks' }))
    const host = receiver.url.slice('http://'.length)
    const sent = Object.entries(hostile).map(([name, body]) =>
      exchange(host, {
        ...{ method: name === 'a form' ? 'PATCH' : 'POST', body },
        query: "filter[id][]=1&q=%27a%20b&name=O'Brien",
        headers: {
          'content-type': name === 'a form' ? 'application/x-www-form-urlencoded' : 'application/json',
          authorization: 'Bearer [access_token ...k3Zq]',
          'x-note': NOTE,
          host,
          'content-length': '9',
          'user-agent': 'old',
        },
      }),
    )
    const said = await execute(
      language,
      sent.map((one) => write(callOf(one, 'http:'))),
    )
    expect(said.split('thanks')).toHaveLength(sent.length + 1)
    expect(receiver.hits.map(({ body }) => body)).toEqual(Object.values(hostile))
    for (const [i, { path, headers, body }] of receiver.hits.entries()) {
      expect(decodeURIComponent(path)).toBe("/api/v4/leads?filter[id][]=1&q='a b&name=O'Brien")
      expect(headers).toMatchObject({
        'content-type': sent[i]?.request.headers['content-type'],
        authorization: `Bearer ${SECRET}`,
        'x-note': NOTE,
        'content-length': String(Buffer.byteLength(body)),
      })
      expect(headers['user-agent']).not.toBe('old')
    }
  })

  test('sends no body and no type where the request had none, and a body without a type', async (context) => {
    if (!(await available(runners[language]))) return context.skip('the language is not installed')
    const receiver = await answering()
    const host = receiver.url.slice('http://'.length)
    const bare = { headers: {} }
    const calls = [
      ['GET', null],
      ['DELETE', null],
      ['POST', '{"a":1}'],
    ] as const
    await execute(
      language,
      calls.map(([method, body]) => write(callOf(exchange(host, { ...bare, method, body }), 'http:'))),
    )
    const found = receiver.hits.map(({ body, headers }) => [body, headers['content-type']])
    expect(found).toEqual(calls.map(([, body]) => [body ?? '', undefined]))
  })

  test('has no part of a secret', () => {
    const headers = {
      authorization: 'Bearer [access_token ...k3Zq]',
      'x-signature': '[x-signature ...9f2a]',
      'x-api-key': '[x-api-key]',
    }
    const sent = exchange('localhost:1', { headers })
    const code = write(callOf(sent, 'http:'))
    expect(code).not.toMatch(/k3Zq|9f2a/)
    for (const variable of ['TOKEN', 'X_SIGNATURE', 'X_API_KEY']) expect(code).toContain(variable)
  })
})

describe('The address of a copied attempt', () => {
  test('has the scheme that its host suggests', () => {
    const schemeOf = (host: string) =>
      callOf(exchange(host, { direction: 'out' }), 'http:').url.split('//')[0]
    expect(['receiver.example', 'receiver.example:8080', 'localhost', 'a.localhost'].map(schemeOf)).toEqual([
      'https:',
      'http:',
      'http:',
      'http:',
    ])
  })
})
