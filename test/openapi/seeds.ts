import { permissions } from '../../src/integrations/registry/schemas.ts'
import { type Client, client } from '../client.ts'
import { CHATS, channelOf, connected, provider, type RegisteredChannel } from '../fixtures/chats.ts'
import { textOf } from '../fixtures/conversations.ts'
import { connect, register } from '../fixtures/integrations.ts'
import type { World } from '../world.ts'
import type { Stock } from './stock.ts'

/** An administrator's integration and its credentials. */
export interface Caller {
  token: string
  host: string
  /** One channel for connecting and disconnecting, and two that stay connected, one per protocol. */
  channels: RegisteredChannel[]
}

const cards = ['leads', 'contacts', 'companies', 'customers']
let count = 0

/** The objects of each seeding, ordered by dependencies. */
const seeds: [path: string, draft: (id: (name: string) => string | number) => unknown][] = [
  ['groups', () => ({ name: 'North' })],
  ['roles', () => [{ name: 'Seller' }]],
  ['users', () => [{ name: 'Eva', email: `eva${++count}@example.com`, password: 'a long password' }]],
  ['leads/pipelines', () => [{ name: 'Sales', sort: 20, is_main: false, is_unsorted_on: true }]],
  ['leads/loss_reasons', () => [{ name: 'Too dear' }]],
  ['customers/statuses', () => [{ name: 'Regular', sort: 20 }]],
  ['catalogs', () => [{ name: 'Goods', can_link_multiple: true }]],
  ['audiences', () => [{ name: 'Visitors', service: 'ads' }]],
  ['sources', () => [{ name: 'Site', external_id: `site-${++count}` }]],
  ...[...cards, 'customers/segments'].map((of): (typeof seeds)[number] => [
    `${of}/custom_fields`,
    () => [
      { name: 'Words', type: 'text' },
      { name: 'Number', type: 'numeric' },
      { name: 'Choice', type: 'select', enums: [{ value: 'one', sort: 1 }] },
    ],
  ]),
  ...cards.map((of): (typeof seeds)[number] => [
    `${of}/custom_fields/groups`,
    () => [{ name: 'Tab', sort: 5 }],
  ]),
  ...cards.map((of): (typeof seeds)[number] => [`${of}/tags`, () => [{ name: `tag${++count}` }]]),
  ...cards.map((of): (typeof seeds)[number] => [of, () => Array(5).fill({ name: 'Anna' })]),
  ...cards.map((of): (typeof seeds)[number] => [
    `${of}/notes`,
    (id) => [{ entity_id: id(of), note_type: 'common', params: { text: 'A note' } }],
  ]),
  [
    'tasks',
    (id) => [{ text: 'Call', complete_till: 1_800_000_000, entity_type: 'leads', entity_id: id('leads') }],
  ],
]

/** Adds more objects of every kind to the account and the stock. Objects above a limit are skipped. */
export async function seed(world: World, caller: Caller, stock: Stock): Promise<void> {
  const v4 = client(world.app.http, caller)
  const keep = async (path: string, answer: ReturnType<Client['get']>) =>
    stock.keep(path, (await answer).body)
  await v4.patch('/api/v4/customers/mode', { mode: 'periodicity', is_enabled: true })
  const linkTo = (to: string) => ({ to_entity_id: id(to), to_entity_type: to })
  const id = (of: string) => stock.pick('id', `/${of}`, ++count) ?? 0
  for (const [path, draft] of seeds) await keep(path, v4.post(`/api/v4/${path}`, draft(id)))
  const list = id('catalogs')
  await keep(
    'elements',
    v4.post(`/api/v4/catalogs/${list}/elements`, [{ name: 'Bicycle' }, { name: 'Bell' }]),
  )
  await keep(
    'custom_fields',
    v4.post(`/api/v4/catalogs/${list}/custom_fields`, [{ name: 'Colour', type: 'text' }]),
  )
  await keep('transactions', v4.post(`/api/v4/customers/${id('customers')}/transactions`, [{ price: 10 }]))
  await keep('pipelines', v4.get('/api/v4/leads/pipelines'))
  await keep('links', v4.post(`/api/v4/leads/${id('leads')}/link`, [linkTo('contacts'), linkTo('companies')]))
  await keep('links', v4.post(`/api/v4/contacts/${id('contacts')}/link`, [linkTo('customers')]))
  for (const file_name of ['a.txt', 'b.txt']) {
    const bytes = 'some bytes'
    const session = await v4.post('/drive/v1.0/sessions', { file_name, file_size: bytes.length })
    const { pathname } = new URL(session.body.upload_url)
    await keep('files', v4.post(pathname, bytes, { 'content-type': 'text/plain' }))
  }
  const job = { entity_type: 'leads', ids: [id('leads')], changes: { tags_to_add: ['seen'] } }
  await keep('jobs', v4.post('/api/v4/jobs/bulk_changes', job))
  await seedChats(world, caller, stock)
}

/** The integration with a token of its administrator. Its keys are in the stock. */
export async function callerOf(all: World, stock: Stock): Promise<Caller> {
  const { admin, stranger, app } = all
  const integration = await register(admin, { permissions: [...permissions], multiple_sources: true })
  const host = admin.browser.identity.host
  // Uses a separate client, because the secrets in this test are not tracked.
  const tokens = await connect(client(app.http, stranger.identity), integration)
  // Codes come from another integration, because a replayed code revokes tokens (A5).
  const spare: Record<string, string> = { ...(await register(admin)) }
  for (const [name, value] of Object.entries(spare))
    for (const path of ['/oauth2/access_token', '/oauth2/revoke']) stock.addFor(path, name, value)
  stock.addFor('/oauth2/account/current/subdomain', 'refresh_token', tokens.refresh_token)
  stock.addFor('/test_helpers/requests', 'test_helpers_key', all.ctx.testHelpersKey ?? '')
  stock.addFor('/api/v4/short_links', 'url', 'https://example.com/offer')
  stock.addFor('/api/v4/users', 'password', 'a long password')
  for (const path of ['/api/v2/notes', '/private/api/v2/json/notes/list']) stock.addFor(path, 'type', 'lead')
  await addTokens(all, stock, integration.client_id)
  const { headers } = await client(app.http, { token: tokens.access_token, host }).get('/api/v4/account')
  stock.addFor('/test_helpers/traces/', 'request_id', String(headers['x-request-id']))
  return { token: tokens.access_token, host, channels: await channelsFor(all, stock) }
}

/** The number of grants whose tokens can end. */
const ENDING = 5

/** Grants whose tokens the test helpers may end: not that of the caller. */
async function addTokens({ admin, app, stranger, ctx }: World, stock: Stock, own: string): Promise<void> {
  for (let i = 0; i < ENDING; i++) await connect(client(app.http, stranger.identity), await register(admin))
  const grants = await ctx.db.selectFrom('grants').select(['id', 'integration_id']).execute()
  const others = grants.filter(({ integration_id }) => integration_id !== own).map(({ id }) => id)
  stock.addFor('/test_helpers/tokens/', 'id', ...others)
}

/** Sends and answers a message in each channel. One answer fails. */
async function seedChats(world: World, caller: Caller, stock: Stock): Promise<void> {
  const v4 = client(world.app.http, caller)
  for (const channel of caller.channels.slice(1)) {
    const scope = `/${channel.id}_${world.account.amojo_id}`
    const there = provider(world, channel)
    const payload = textOf(world, `person-${++count}`, 'What is the price?')
    const pushed = await there.call('POST', scope, { event_type: 'new_message', payload })
    const at = `/api/v4/chats/${pushed.body.new_message.conversation_id}`
    const chat = (await v4.get(at)).body
    stock.keep('chats', chat)
    stock.keep('talks', { id: chat.talk_id })
    for (const text of ['Hello', 'Are you there?']) {
      const message = (await v4.post(`${at}/messages`, { text })).body
      stock.keep('messages', message)
      if (text === 'Hello') continue
      for (const end of ['attempts', 'send_again', 'reaction'])
        stock.keep('messages', { href: `http://localhost${at}/messages/${message.id}/${end}` })
      const report = { status_code: -1, error_code: 905, error: 'Not there' }
      await there.call('POST', `${scope}/${message.id}/delivery_status`, report)
    }
  }
  stock.keep('bots', (await v4.get('/api/v4/bots')).body)
  const template = { name: 'Hello', content: 'Hello, {{contact.name}}', type: count % 2 ? 'waba' : 'amocrm' }
  const { body: added } = await v4.post('/api/v4/chats/templates', [template])
  stock.keep('templates', added)
  const intent = { name: 'Price', phrases: ['the price'], answer: 'A hundred.' }
  stock.keep('intents', (await v4.post('/api/v4/chats/intents', intent)).body)
}

/** Three channels, with the names that providers use for them and their account. */
async function channelsFor(all: World, stock: Stock): Promise<RegisteredChannel[]> {
  const { amojo_id } = all.account
  const loose = await channelOf(all)
  const [spec, live] = [
    await connected(all),
    await connected(all, { protocol: 'live', hook_api_version: 'v2' }),
  ]
  stock.addFor(`${CHATS}/`, 'channel_id', loose.id)
  stock.addFor(`${CHATS}/`, 'scope_id', spec.scope_id, live.scope_id)
  for (const end of ['connect', 'disconnect'])
    stock.addFor(`${CHATS}/{channel_id}/${end}`, 'account_id', amojo_id)
  for (const end of ['', '/chats'])
    for (const name of ['avatar', 'media', 'profile_link'])
      stock.addFor(`${CHATS}/{scope_id}${end}`, name, 'https://example.com/a.png')
  stock.addFor(`${CHATS}/{scope_id}`, 'ref_id', amojo_id)
  return [loose, spec.channel, live.channel]
}
