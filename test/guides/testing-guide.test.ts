import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runningDemo } from '../fixtures/demo.ts'

const guide = readFileSync(new URL('../../docs/testing-an-integration.md', import.meta.url), 'utf8')

/** The tests run the build itself, and not through npm. */
const COMMAND = `patchbay() { '${process.execPath}' dist/server/main.js "$@"; }`

test('the guide makes an account for a test, and its code gets tokens at the address of the server', async () => {
  const [, block = ''] = /^```sh\n(patchbay\(\)[\s\S]*?)^```$/m.exec(guide) ?? []
  const { base, demo, DATA_DIR } = await runningDemo()
  const { stdout } = await promisify(execFile)(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', block.replace(/^patchbay\(\).*$/m, COMMAND)],
    { cwd: new URL('../..', import.meta.url), env: { DATA_DIR } },
  )
  const [account, person, keys] = JSON.parse(`[${stdout.replaceAll(/^}\n(?={)/gm, '},')}]`)
  expect(account.url).toBe(demo.base_url.replace('localhost', 'shop-1.localhost'))
  expect(person.email).toBe('ann@shop-1.example')
  const { code, ...client } = keys
  const redirect_uri = /--redirect-uri (\S+)/.exec(block)?.[1]
  const exchanged = await fetch(`${base}/oauth2/access_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...client, redirect_uri, grant_type: 'authorization_code', code }),
  })
  const { access_token } = (await exchanged.json()) as { access_token: string }
  const read = await fetch(`${base}/api/v4/account`, { headers: { authorization: `Bearer ${access_token}` } })
  expect(await read.json()).toMatchObject({ subdomain: 'shop-1', name: 'Shop 1' })
  const requests = await fetch(`${base}/test_helpers/requests?account=shop-1`, {
    headers: { authorization: `Bearer ${demo.test_helpers.key}` },
  })
  expect(requests.status).toBe(200)
}, 120_000)
