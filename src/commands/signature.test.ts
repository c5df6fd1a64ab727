import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { commandLine } from '../../test/command-line.ts'
import { startProgram } from '../../test/program.ts'

test('names the mistake in a signature, and refuses wrong options', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'patchbay-signature-'))
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true, force: true }))
  await startProgram('dev', { DATA_DIR })
  const { channel_live } = JSON.parse(readFileSync(join(DATA_DIR, 'demo.json'), 'utf8'))
  const body = join(DATA_DIR, 'body.json')
  writeFileSync(body, '{"a":"x/y"}')
  const sign = (text: string) => createHmac('sha1', channel_live.secret).update(text).digest('hex')
  const url = `/v2/origin/custom/${channel_live.scope_id}`
  const check = (...words: string[]) => commandLine(['signature', 'check', ...words], { DATA_DIR })
  const asked = ['--url', url, '--body', body, '--signature']
  const right = await check(...asked, sign('{"a":"x/y"}'))
  expect([right.code, right.stdout]).toEqual([0, expect.stringContaining('right  chat_body')])
  const wrong = await check(...asked, sign('{"a":"x\\/y"}'), '--sample', 'php')
  expect(wrong.code).toBe(1)
  for (const part of ['json_slashes', 'differs from byte 7 on', 'hash_hmac'])
    expect(wrong.stdout).toContain(part)
  expect((await check('--request', 'abc')).stderr).toContain('--request is not an id: abc')
}, 180_000)
