import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runningDemo } from '../../test/fixtures/demo.ts'
import { commandLine } from '../../test/programs/command-line.ts'

test('names the mistake in a signature, and refuses wrong options', async () => {
  const { demo, DATA_DIR } = await runningDemo()
  const { secret = '', scope_id } = demo.channel_live ?? {}
  const body = join(DATA_DIR, 'body.json')
  writeFileSync(body, '{"a":"x/y"}')
  const sign = (text: string) => createHmac('sha1', secret).update(text).digest('hex')
  const url = `/v2/origin/custom/${scope_id}`
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
