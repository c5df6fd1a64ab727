import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:http'
import { request as secureRequest } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/commands/ports.ts'
import { foundAccount } from '../fixtures/founding.ts'
import { isLong } from '../long.ts'
import { makeCertificates } from '../programs/certificates.ts'
import { startProgram } from '../programs/program.ts'
import { temporaryFolder } from '../programs/temporary-folder.ts'

/** The samples are run with the real programs, only in the long form, and where they are installed. */
const has = (program: string, ...words: string[]) =>
  isLong && spawnSync(program, words, { stdio: 'ignore' }).error === undefined

const HOST = 'demo.hub.example.com'

interface Proxy {
  http: number
  https: number
  /** The certificate of the authority. */
  ca: string
}

/** The sample with these ports and a certificate of this test. */
async function prepared(sample: string, server: string) {
  const folder = temporaryFolder()
  const { authority, server: own } = makeCertificates(['hub.example.com', '*.hub.example.com'])
  writeFileSync(join(folder, 'fullchain.pem'), own.cert)
  writeFileSync(join(folder, 'privkey.pem'), own.key)
  const proxy: Proxy = { http: await freePort(), https: await freePort(), ca: authority }
  const text = readFileSync(join('docs/operating', sample), 'utf8')
    .replaceAll('/etc/ssl/hub.example.com', folder)
    .replaceAll('/var/log/nginx', folder)
    .replaceAll('127.0.0.1:8080', server)
    .replace('listen 80;', `listen 127.0.0.1:${proxy.http};`)
    .replace('listen 443 ', `listen 127.0.0.1:${proxy.https} `)
  return { folder, proxy, text }
}

async function startNginx(server: string): Promise<Proxy> {
  const { folder, proxy, text } = await prepared('nginx.conf', server)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  const file = join(folder, 'main.conf')
  writeFileSync(
    file,
    `daemon off; pid ${join(folder, 'pid')}; error_log stderr; events {}\nhttp { ${paths.join(' ')}\n${text}\n}`,
  )
  execFileSync('nginx', ['-t', '-q', '-c', file, '-p', folder], { stdio: 'pipe' })
  await startProxy('nginx', ['-c', file, '-p', folder], proxy, 'SIGTERM')
  return proxy
}

async function startCaddy(server: string): Promise<Proxy> {
  const { folder, proxy, text } = await prepared('Caddyfile', server)
  const file = join(folder, 'Caddyfile')
  const ports = `{\n\tadmin off\n\thttp_port ${proxy.http}\n\thttps_port ${proxy.https}\n}\n`
  writeFileSync(file, ports + text)
  // On SIGTERM it waits for open connections.
  await startProxy('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], proxy, 'SIGKILL')
  return proxy
}

async function startProxy(
  program: string,
  words: string[],
  { https, ca }: Proxy,
  stop: NodeJS.Signals,
): Promise<void> {
  const child = spawn(program, words, { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  onTestFinished(async () => {
    child.kill(stop)
    await ended
  })
  for (let tries = 0; ; tries++) {
    const isUp = await ask({ https, ca }, 'GET', '/healthz').then(
      ({ status }) => status === 200,
      () => false,
    )
    if (isUp) return
    if (tries > 100) throw new Error(`${program} does not answer`)
    await sleep(50)
  }
}

type Headers = Record<string, string>

function open(
  { https, ca }: Pick<Proxy, 'https' | 'ca'>,
  method: string,
  path: string,
  headers: Headers = {},
  body?: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: https, ca, servername: HOST, method, path }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const asked = secureRequest({ ...options, headers: { host: HOST, ...type, ...headers } }, resolve)
    asked.on('error', reject)
    asked.end(body)
  })
}

async function ask(proxy: Pick<Proxy, 'https' | 'ca'>, ...rest: [string, string, Headers?, string?]) {
  const answer = await open(proxy, ...rest)
  let text = ''
  for await (const chunk of answer) text += chunk
  const { statusCode: status, headers } = answer
  return { status, headers, body: text.startsWith('{') ? JSON.parse(text) : text }
}

/** The requests of a person and an integration, through the proxy. */
async function walk(start: (server: string) => Promise<Proxy>): Promise<void> {
  const { env, admin } = await foundAccount(undefined, {
    PUBLIC_URL: 'https://hub.example.com',
    TRUST_PROXY: '127.0.0.1',
  })
  const program = await startProgram('serve', env)
  const proxy = await start(program.base.replace('http://', ''))

  const claimed = {
    'x-forwarded-for': '6.6.6.6',
    'x-forwarded-host': 'evil.hub.example.com',
    'x-forwarded-proto': 'http',
  }
  const same = { 'sec-fetch-site': 'same-origin' }
  const signedIn = await ask(proxy, 'POST', '/web/session', { ...same, ...claimed }, JSON.stringify(admin))
  expect(signedIn.status).toBe(200)
  await expect.poll(() => program.output()).toMatch(/"event":"signed_in".*"address":"127\.0\.0\.1"/)
  const cookies = signedIn.headers['set-cookie'] as string[]
  expect(cookies[0]).toMatch(/^__Host-.*; Secure/)
  const cookie = cookies.map((text) => text.split(';')[0]).join('; ')
  const known = { ...same, cookie, 'x-csrf-token': signedIn.body.csrf_token }
  const account = await ask(proxy, 'GET', '/web/v4/account', { ...known, ...claimed })
  expect([account.status, account.body._links.self.href]).toEqual([200, `https://${HOST}/web/v4/account`])

  // A live stream has an event as soon as it is written.
  const stream = await open(proxy, 'GET', '/web/v4/events', { ...known, accept: 'text/event-stream' })
  expect(stream.statusCode).toBe(200)
  const written = await ask(proxy, 'POST', '/web/v4/leads', known, '[{"name":"Through the proxy"}]')
  expect(written.status).toBe(200)
  let seen = ''
  for await (const chunk of stream) {
    seen += chunk
    if (seen.includes('lead_added')) break
  }
  stream.destroy()

  // The server judges sizes, and not the proxy.
  const large = await ask(proxy, 'POST', '/web/v4/leads', known, `[${'{"name":"x"},'.repeat(200_000)}{}]`)
  expect([large.status, large.headers['content-type']]).toEqual([413, 'application/problem+json'])
  for (const path of ['/metrics', '/readyz']) expect((await ask(proxy, 'GET', path)).status).toBe(404)
  const plain = await new Promise<IncomingMessage>((resolve) =>
    get({ host: '127.0.0.1', port: proxy.http, path: '/leads?x=1', headers: { host: HOST } }, resolve),
  )
  expect([301, 308]).toContain(plain.statusCode)
  expect(plain.headers.location).toMatch(new RegExp(`^https://${HOST}(:${proxy.https})?/leads\\?x=1$`))
}

describe('The sample of a proxy', () => {
  test.runIf(has('nginx', '-v'))('for nginx works', () => walk(startNginx))
  test.runIf(has('caddy', 'version'))('for Caddy works', () => walk(startCaddy))
})

test.runIf(has('promtool', '--version'))('Prometheus accepts the rules and the configuration', () => {
  execFileSync('promtool', ['check', 'rules', 'docs/operating/alerts.yml'], { stdio: 'pipe' })
  execFileSync('promtool', ['check', 'config', 'docs/operating/prometheus.yml'], { stdio: 'pipe' })
})
