import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Client, client } from '../../test/client.ts'
import { type World, world } from '../../test/world.ts'
import type { Context } from '../context.ts'
import { createServer } from '../http/server.ts'
import { sendShell } from '../http/shell.ts'
import { webApplication } from './web-application.ts'

const PAGE = '<!doctype html><meta name="csp-nonce" content="%NONCE%"><div id="root"></div>'
const html = { accept: 'text/html,application/xhtml+xml' }

/** A server with only the pages, from a small build. */
async function pages(env: Record<string, string> = {}): Promise<Client> {
  const { ctx, folder } = await world({ env })
  const http = await served(ctx, folder)
  await http.ready()
  return client(http, { host: 'demo.localhost:8080' })
}

async function served(ctx: Context, folder: string): Promise<FastifyInstance> {
  const built = join(folder, 'web')
  mkdirSync(join(built, 'assets'), { recursive: true })
  writeFileSync(join(built, 'index.html'), PAGE)
  writeFileSync(join(built, 'favicon.svg'), '<svg/>')
  writeFileSync(join(built, 'other.html'), PAGE)
  writeFileSync(join(built, 'assets/main-1a2b.js'), 'export {}')
  writeFileSync(join(built, 'assets/main-1a2b.js.gz'), gzipSync('export {}'))
  const http = createServer(ctx)
  await http.register(webApplication(built))
  http.get('/consent-page', (_request, reply) =>
    sendShell(reply, { formAction: 'https://shop.example/oauth?x=1;script-src *', openerKept: true }, PAGE),
  )
  return http
}

const policy = (nonce: string, forms = "'self'") =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    `form-action ${forms}`,
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

const nonceOf = (text: string) => /content="([\w-]{22})"/.exec(text)?.[1] as string

describe('The pages of the web application', () => {
  test.each(['/', '/leads', '/settings/people/7?tab=rights'])(
    '%s is the shell with its headers',
    async (path) => {
      const browser = await pages()
      const { status, headers, text } = await browser.get(path, html)
      const nonce = nonceOf(text)
      expect([status, text]).toEqual([200, PAGE.replace('%NONCE%', nonce)])
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy(nonce),
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'permissions-policy': expect.stringContaining('camera=()'),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
      })
      // Over plain http there is no HSTS.
      expect(headers['strict-transport-security']).toBeUndefined()
      expect(nonceOf((await browser.get(path, html)).text)).not.toBe(nonce)
    },
  )

  test('require https behind an https proxy', async () => {
    const browser = await pages({ TRUST_PROXY: '127.0.0.1', HOST_ALIASES: 'hub.example' })
    const hstsOf = async (host: string) => {
      const { headers } = await browser.get('/', { ...html, host, 'x-forwarded-proto': 'https' })
      return headers['strict-transport-security']
    }
    expect(await hstsOf('demo.hub.example')).toBe('max-age=63072000; includeSubDomains')
    // Browsers would open all other servers on this machine by https, too.
    for (const host of ['localhost:8080', 'demo.localhost:8080', '127.0.0.1:8080'])
      expect(await hstsOf(host)).toBeUndefined()
  })

  test.each(['/sign-in', '/oauth/choose'])('%s keeps window.opener', async (path) => {
    const browser = await pages()
    expect((await browser.get(path, html)).headers['cross-origin-opener-policy']).toBe('unsafe-none')
  })

  test("add only the integrator's origin to form-action on the consent page", async () => {
    const browser = await pages()
    const { headers, text } = await browser.get('/consent-page', html)
    expect(headers['content-security-policy']).toBe(policy(nonceOf(text), "'self' https://shop.example"))
    expect(headers['cross-origin-opener-policy']).toBe('unsafe-none')
  })

  test('have assets that are cached forever; other files are cached for an hour', async () => {
    const browser = await pages()
    const asset = await browser.get('/assets/main-1a2b.js')
    expect([asset.status, asset.text]).toEqual([200, 'export {}'])
    expect(asset.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    const icon = await browser.get('/favicon.svg')
    expect(icon.headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'content-type': 'image/svg+xml',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  test('have compressed assets for clients that accept them', async () => {
    const browser = await pages()
    const asset = await browser.get('/assets/main-1a2b.js', { 'accept-encoding': 'gzip' })
    expect(asset.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'application/javascript; charset=utf-8',
      vary: 'accept-encoding',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect((await browser.get('/assets/main-1a2b.js')).headers).not.toHaveProperty('content-encoding')
  })

  test.each([
    ['/assets/none.js', html],
    ['/assets/..%2findex.html', html],
    ['/assets/', html],
    // A page is never sent without its headers.
    ['/other.html', {}],
    ['/index.html', {}],
    ['/api/v4/none', html],
    ['/api', html],
    ['/web/none', html],
    ['/oauth2/none', html],
    ['/leads', { accept: 'application/json' }],
    ['/leads', {}],
  ])('answer %s for %j with a problem document', async (path, headers) => {
    const browser = await pages()
    const answer = await browser.get(path, headers as Record<string, string>)
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/problem+json'])
  })

  test('tell a program at the root where the API is', async () => {
    const { app } = await world()
    const http = client(app.http, { host: 'demo.localhost:8080' })
    const { status, body, headers } = await http.get('/')
    const at = (path: string) => ({ href: `http://demo.localhost:8080${path}` })
    expect([status, headers['content-type'], body]).toEqual([
      200,
      'application/json; charset=utf-8',
      {
        name: 'Patchbay',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        detail:
          'Open this address in a browser for the application. Programs use the API below /api/v4, with an access token.',
        _links: {
          account: at('/api/v4/account'),
          description: at('/api/openapi.json'),
          reference: at('/api/reference'),
          errors: at('/docs/errors'),
        },
      },
    ])
    const links = Object.values<{ href: string }>(body._links)
    const answers = await Promise.all(links.map(({ href }) => http.get(new URL(href).pathname)))
    // These tests do not need a build.
    expect(answers.map((answer) => answer.status)).toEqual([
      401,
      200,
      expect.toSatisfy((status) => status === 200 || status === 503),
      200,
    ])
  })

  test('are read-only', async () => {
    const browser = await pages()
    expect((await browser.post('/leads', {})).status).toBe(404)
  })

  test('say so if they were not built, while the API works', async () => {
    const { ctx, folder } = await world()
    const http = createServer(ctx)
    await http.register(webApplication(join(folder, 'nothing')))
    const browser = client(http, { host: 'localhost:8080' })
    const { status, body } = await browser.get('/', html)
    expect([status, body.detail]).toEqual([503, 'The web application is not built.'])
    expect((await browser.get('/api/v4/none')).status).toBe(404)
  })

  test.each(['/assets/../x', '/assets/..\\x', '/assets/..%2fx', '/assets/%2e%2e/index.html'])(
    'do not serve a path outside the folder: %s',
    async (path) => {
      const { port } = await listen(await world({ ownServer: true }))
      const [status, body] = await asIs(port, path)
      expect([status, JSON.parse(body)]).toEqual([404, expect.objectContaining({ status: 404 })])
    },
  )
})

/** A listening server with the pages. */
async function listen({ ctx, folder }: World): Promise<{ port: number }> {
  const http = await served(ctx, folder)
  await http.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => http.close())
  return http.server.address() as AddressInfo
}

/** HTTP clients normalise a path. This one sends it unchanged. */
function asIs(port: number, path: string): Promise<[status: number | undefined, body: string]> {
  return new Promise((resolve, reject) => {
    const asking = request({ port, path, host: '127.0.0.1', headers: { host: 'localhost' } }, (answer) => {
      let body = ''
      answer.on('data', (chunk) => {
        body += chunk
      })
      answer.on('end', () => resolve([answer.statusCode, body]))
    })
    asking.on('error', reject).end()
  })
}
