import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { placeWithDemo, runningDemo } from '../fixtures/demo.ts'
import { makeCertificates } from '../programs/certificates.ts'
import { type Outcome, runScript } from '../programs/program.ts'
import type { Summary } from './clients/every-method.ts'
import { fidelityPageOf, readFidelityPage } from './clients/fidelity-page.ts'
import { openTunnel } from './clients/tunnel.ts'

/** Starts the server of `patchbay dev` with its own TLS. Returns the settings of a client's process. */
async function startWithTls(settings: Record<string, string> = {}) {
  const { data_dir } = await placeWithDemo()
  const { authority, server } = makeCertificates(['localhost', '*.amocrm.ru', '127.0.0.1'])
  const write = (name: string, text: string) => {
    writeFileSync(join(data_dir, name), text)
    return join(data_dir, name)
  }
  const tls = { TLS_CERT: write('cert.pem', server.cert), TLS_KEY: write('key.pem', server.key) }
  const { base } = await runningDemo({ ...tls, ...settings }, data_dir)
  return {
    port: Number(new URL(base).port),
    files: {
      DEMO_FILE: join(data_dir, 'demo.json'),
      NODE_EXTRA_CA_CERTS: write('authority.pem', authority),
    },
  }
}

const parts = ({ code, stdout, stderr }: Outcome) =>
  code === 0 ? stdout.trim().split('\n') : [`ended with ${code}`, stdout, stderr]

/** The steps of each client. Its script checks the results. */
const ALL = [
  'token',
  'account',
  'users',
  'pipelines',
  'custom fields',
  'leads',
  'contacts',
  'companies',
  'tags',
  'tasks',
  'catalogs',
  'notes',
  'calls',
  'events',
  'errors',
]

describe('Published clients for the platform, unchanged', () => {
  test('amocrm-js: at a subdomain of the platform on port 443, which cannot be configured', async () => {
    const { port, files } = await startWithTls({ PUBLIC_URL: 'https://amocrm.ru' })
    const tunnel = await openTunnel('demo.amocrm.ru', port)
    const outcome = await runScript('test/end-to-end/clients/amocrm-js/steps.ts', [], {
      ...files,
      CLIENT_HOST: 'demo.amocrm.ru',
      HTTPS_PROXY: tunnel.url,
      NODE_USE_ENV_PROXY: '1',
    })
    expect(parts(outcome)).toEqual(ALL)
    // All links that it followed led to this server.
    expect([...tunnel.asked]).toEqual(['demo.amocrm.ru:443'])
  })

  test('@shevernitskiy/amo and @mobilon-dev/amotop, a chat provider: at the address of this machine, within the documented limits', async () => {
    const { port, files } = await startWithTls({ RATE_LIMITS: 'on' })
    const env = { ...files, CLIENT_HOST: `localhost:${port}` }
    const steps = ALL.toSpliced(-1, 0, 'webhooks')
    expect(parts(await runScript('test/end-to-end/clients/amo/steps.ts', [], env))).toEqual(steps)
    // Its channel uses the live protocol.
    const provider = await runScript('test/end-to-end/clients/amotop/steps.ts', [], env)
    expect(parts(provider)).toEqual([
      'connect',
      'chat',
      'push',
      'history',
      'delivery status',
      'another secret',
      'disconnect',
    ])
  })

  test('every public method, with the results on docs/fidelity.md', async () => {
    const { port, files } = await startWithTls()
    const tunnel = await openTunnel('demo.amocrm.ru', port)
    const local = { ...files, CLIENT_HOST: `localhost:${port}` }
    const proxied = { CLIENT_HOST: 'demo.amocrm.ru', HTTPS_PROXY: tunnel.url, NODE_USE_ENV_PROXY: '1' }
    // One after the other: they read what they wrote to one account.
    const summaries = [
      await walk('amo', local),
      await walk('amotop', local),
      await walk('amocrm-js', { ...files, ...proxied }),
    ]
    const page = readFidelityPage()
    const run = fidelityPageOf(summaries, page)
    expect(run.totals).toEqual(page.totals)
    expect(new Set(run.failures)).toEqual(new Set(page.failures))
  })
})

/** Calls every method of a client. */
async function walk(client: string, env: Record<string, string>): Promise<Summary> {
  const { code, stdout, stderr } = await runScript(`test/end-to-end/clients/${client}/every.ts`, [], env)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout.trim().split('\n').at(-1) as string)
}
