import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { Demo } from '../src/commands/demo/demo.ts'
import { findBrowser } from './browser.ts'

/**
 * Creates the pictures of the documentation: `npm run pictures`. It uses a separate server on a free port
 * with a fresh demo, so that all pictures show the same account on the same day.
 */

const FOLDER = 'docs/images'
/** The maximum size in bytes, so that pages of the documentation load fast. */
const MOST = 150_000
const viewport = { width: 1440, height: 900 }

interface Picture {
  path: string
  /** Prepares the page for the picture. */
  before?: (page: Page) => Promise<void>
  scheme?: 'dark'
}

// biome-ignore lint/suspicious/noExplicitAny: the members are those of the demo account
type Answer = any

/** Reads and writes the demo with the session of the page. */
interface Api {
  get: (path: string) => Promise<Answer>
  post: (path: string, data: unknown) => Promise<Answer>
}

async function pictures(demo: Demo, api: Api): Promise<Record<string, Picture>> {
  const { client_id } = demo.integration
  const { chats } = await api.get('/web/v4/chats')
  // The chat with a picture.
  const chat = chats[1]
  const lead = await leadWithMuch(api)
  const list = await keptView(api)
  const board = '/leads?shape=board'
  return {
    home: { path: '/' },
    board: { path: board },
    'board-dark': { path: board, scheme: 'dark' },
    list: { path: list },
    card: { path: `/leads/${lead}` },
    'card-dark': { path: `/leads/${lead}`, scheme: 'dark' },
    tasks: { path: '/tasks' },
    inbox: { path: `/inbox/${chat.id}`, before: showChat },
    search: { path: '/', before: search },
    events: { path: '/events' },
    requests: { path: '/developers/requests' },
    'request-why': { path: `/developers/requests/${await refusedPush(demo, api)}/why` },
    import: { path: '/import/new/contacts', before: giveFile },
    fields: { path: '/settings/fields' },
    role: { path: '/settings/roles/1' },
    integrations: { path: '/integrations' },
    window: { path: `/integrations/built/${client_id}` },
    consent: { path: `/oauth?client_id=${client_id}&state=1` },
  }
}

/** Sends a few calls with usual faults. Returns the id of the recorded push whose signature is wrong. */
async function refusedPush({ base_url, tokens, channel_live }: Demo, api: Api): Promise<number> {
  const send = (path: string, body: string, headers: Record<string, string>) =>
    fetch(base_url + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
  const { secret = '', scope_id = '' } = channel_live ?? {}
  const body = '{"event_type":"new_message","payload":{"message":{"text":"a/b"}}}'
  const signature = createHmac('sha1', secret).update(body.replace('/', '\\/')).digest('hex')
  const authorization = `Bearer ${tokens.access_token}`
  await send('/api/v4/leads', '[{"name":"Shelf","price_rub":300}]', { authorization })
  await send('/api/v4/leads', '[{"name":"Shelf","price":"300"}]', { authorization })
  await send('/api/v4/lead', '[{"name":"Chair"}]', { authorization })
  await send(`/v2/origin/custom/${scope_id}`, body, { 'x-signature': signature })
  const { requests } = await api.get('/web/requests?operation=chats.push&refused=true&limit=1')
  return requests[0].id
}

/** The open lead with a file and the most kinds of events. */
async function leadWithMuch(api: Api): Promise<number> {
  const { notes } = await api.get('/web/v4/leads/notes?limit=50&filter[note_type]=attachment')
  const leads: { id: number; kinds: number }[] = []
  // One after the other: a busy machine refuses so many requests at once.
  for (const { entity_id: id } of notes) {
    const { items } = await api.get(`/web/v4/leads/${id}/timeline?limit=100`)
    const lead = await api.get(`/web/v4/leads/${id}`)
    const kinds = new Set(items.map(({ event }: { event: { type: string } }) => event.type))
    leads.push({ id, kinds: lead.closed_at ? 0 : kinds.size })
  }
  return leads.toSorted((a, b) => b.kinds - a.kinds)[0]?.id as number
}

/** Saves two views and returns the list's address with the first one. */
async function keptView(api: Api): Promise<string> {
  const { custom_fields } = await api.get('/web/v4/leads/custom_fields?limit=50')
  const delivery = custom_fields.find(({ name }: { name: string }) => name === 'Delivery')
  const delivered = delivery.enums.find(({ value }: { value: string }) => value === 'Delivered')
  const filter = `filter[price][from]=900&filter[custom_fields_values][${delivery.id}][0]=${delivered.id}`
  const columns = `columns=name,stage,price,contact,responsible,field_${delivery.id},updated_at`
  const search = `${filter}&order[price]=desc&shape=list&${columns}`
  const kept = await api.post('/web/views', {
    ...{ page: 'leads', name: 'Large and delivered', is_shared: true },
    search,
  })
  await api.post('/web/views', {
    ...{ page: 'leads', name: 'Mine, the newest', is_shared: false },
    search: 'filter[responsible_user_id][0]=1&order[created_at]=desc&shape=list',
  })
  return `/leads?${search}&view=${kept.id}`
}

async function search(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('silva')
  await page.getByRole('dialog').getByRole('option').first().waitFor()
}

/** Waits for the last elements to load: the received picture and the reply form. */
async function showChat(page: Page): Promise<void> {
  await page.getByPlaceholder('Write a message').waitFor()
  await page.getByRole('log').locator('img').first().waitFor()
}

async function giveFile(page: Page): Promise<void> {
  const rows = [
    'Full name;Work email;Mobile;Firm;Boss',
    'Ana Prado;ana@prado.example;+34 600 555 101;Green Post;Ben Seller',
    'Luca Conti;luca@conti.example;+34 600 555 102;;Cleo Winter',
    'Marta Vega;marta@vega.example;+34 600 555 103;Hotel Miramar;Ben Seller',
    'Piet Jansen;piet@jansen.example;;Studio Nord;Somebody else',
    'Ana Prado;ana@prado.example;+34 600 555 101;;',
  ]
  const buffer = Buffer.from(rows.join('\n'))
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'fair-in-spring.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('combobox', { name: 'Import “Boss” into' }).click()
  await page.getByRole('option', { name: 'Responsible' }).click()
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('Nobody has this name').first().waitFor()
  await page.mouse.move(800, 450)
  await page.mouse.wheel(0, 2_000)
}

/** Starts the program. Its demo is complete when it is ready. */
async function startServer(data_dir: string): Promise<{ demo: Demo; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, ['dist/server/main.js', 'dev'], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: data_dir, RATE_LIMITS: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
      if (said.includes('Patchbay is ready')) resolve()
    })
    ended.then(() => reject(new Error('the server did not start')))
  })
  return {
    demo: JSON.parse(readFileSync(join(data_dir, 'demo.json'), 'utf8')),
    stop: async () => {
      child.kill()
      await ended
    },
  }
}

async function signIn(context: BrowserContext, { user }: Demo): Promise<Page> {
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  return page
}

async function apiOf(page: Page): Promise<Api> {
  const { csrf_token } = await (await page.request.get('/web/session')).json()
  const headers = { 'x-csrf-token': csrf_token, 'sec-fetch-site': 'same-origin' }
  const members = async (response: { json: () => Promise<Answer> }) => {
    const { _embedded, ...rest } = await response.json()
    return { ...rest, ..._embedded }
  }
  return {
    get: async (path) => members(await page.request.get(path)),
    post: async (path, data) => members(await page.request.post(path, { data, headers })),
  }
}

async function take(page: Page, name: string, { path, before, scheme }: Picture): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme ?? 'light', reducedMotion: 'reduce' })
  await page.goto(path)
  await settle(page)
  if (before) {
    await before(page)
    await settle(page)
  }
  const bytes = await sharp(await page.screenshot())
    .png({ palette: true, colours: 160, effort: 10 })
    .toBuffer()
  if (bytes.length > MOST) throw new Error(`${name}.png has ${bytes.length} bytes`)
  await writeFile(join(FOLDER, `${name}.png`), bytes)
  process.stdout.write(`${name}.png ${Math.ceil(bytes.length / 1_000)} kB\n`)
}

/** Waits until nothing on the page is loading. Live connections never end. */
async function settle(page: Page): Promise<void> {
  const loading = page.locator('[aria-label="Loading"], [aria-busy="true"]').first()
  // A loaded part can start further requests.
  for (let calm = 0; calm < 3; calm++) {
    await page.waitForTimeout(500)
    if (await loading.isVisible()) calm = -1
  }
}

/** Listens on the address of the demo's integration, which the server checks from time to time. */
function startIntegration({ integration }: Demo): { close: () => void } {
  const { port, hostname } = new URL(integration.redirect_uri)
  const server = createServer((_request, response) => response.end())
  // If another program uses the port, that one answers.
  server.on('error', () => {})
  return server.listen(Number(port), hostname)
}

const data_dir = mkdtempSync(join(tmpdir(), 'patchbay-pictures-'))
mkdirSync(FOLDER, { recursive: true })
const { demo, stop } = await startServer(data_dir)
const integration = startIntegration(demo)
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath: findBrowser(), args })
try {
  const context = await browser.newContext({
    ...{ baseURL: demo.base_url, viewport, locale: 'en-GB', timezoneId: 'UTC' },
  })
  const page = await signIn(context, demo)
  for (const [name, picture] of Object.entries(await pictures(demo, await apiOf(page))))
    await take(page, name, picture)
} finally {
  integration.close()
  await browser.close()
  await stop()
  rmSync(data_dir, { recursive: true })
}
