import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { client } from '../../test/client.ts'
import { emptyDatabase } from '../../test/databases/databases.ts'
import { signed } from '../../test/fixtures/chats.ts'
import { accountStatus, exchange } from '../../test/fixtures/integrations.ts'
import { commandLine } from '../../test/programs/command-line.ts'
import { newMasterKey } from '../../test/programs/program.ts'
import { buildApp } from '../app.ts'
import { closeContext, openContext } from './open.ts'

const REDIRECT_URI = 'https://shop.example/oauth'

/** An unused server, and its command line. */
async function fresh({ migrated = true } = {}) {
  const { database_url, data_dir } = await emptyDatabase()
  const env = {
    DATA_DIR: data_dir,
    DATABASE_URL: database_url,
    MASTER_KEY: newMasterKey(),
    LOG_LEVEL: 'silent',
  }
  const run = (text: string) => commandLine(text.split(' '), env)
  /** Runs a command and returns its output; throws if it is refused. */
  const printed = async (text: string): Promise<string> => {
    const { code, stdout, stderr } = await run(text)
    expect([code, stderr]).toEqual([0, ''])
    return stdout
  }
  const serving = async () => {
    const ctx = await openContext({ mode: 'serve', env, create: false })
    const app = await buildApp(ctx)
    onTestFinished(async () => {
      await app.http.close()
      await closeContext(ctx)
    })
    return { ctx, stranger: client(app.http, { host: 'acme.localhost:8080' }) }
  }
  if (migrated) await printed('migrate')
  return { env, run, printed, serving }
}

const ACCOUNT = 'account create --subdomain acme --name Acme'
const PERSON = 'user create --account acme --email Ann@acme.example --name Ann --admin'
const INTEGRATION = `integration create --account acme --user ann@ACME.example --name Shop --redirect-uri ${REDIRECT_URI}`

const CHANNEL =
  'channel create --account acme --user Ann@acme.example --name Messenger --callback-url https://shop.example/chat/:scope_id'

describe('The address of a new account', () => {
  const BASE = 'http://localhost:41234'

  test.each([
    ['is below that of the server in development, whose port can be a free one', {}, 'acme.localhost:41234'],
    ['ignores PORT=0', { PORT: '0' }, 'acme.localhost:41234'],
    ['follows PORT', { PORT: '9001' }, 'acme.localhost:9001'],
    ['follows PUBLIC_URL', { PUBLIC_URL: 'http://hub.example' }, 'acme.hub.example'],
  ])('%s', async (_name, settings: Record<string, string>, host) => {
    const { env } = await fresh()
    writeFileSync(join(env.DATA_DIR, 'demo.json'), JSON.stringify({ base_url: BASE }))
    const { code, stdout } = await commandLine(ACCOUNT.split(' '), { ...env, ...settings })
    expect([code, stdout]).toEqual([0, `Account 1: http://${host}\n`])
  })
})

describe('The command line', () => {
  test('registers a chat channel, and the printed secret signs its first request', async () => {
    const { printed, serving } = await fresh()
    for (const command of [ACCOUNT, PERSON]) await printed(command)
    const [, client_id] = /^client_id: (\S{36})/.exec(await printed(INTEGRATION)) ?? []
    const text = await printed(
      `${CHANNEL} --protocol live --delivery once --integration ${client_id} --connect`,
    )
    const [, id = '', secret = '', amojo_id = ''] =
      /^channel_id: (\S{36})\nsecret: ([\da-f]{80})\nbot_id: \S{36}\nscope_id: \1_(\S{36})\n$/.exec(text) ??
      []
    const { ctx, stranger } = await serving()
    const body = JSON.stringify({ account_id: amojo_id })
    const again = await stranger.post(`/v2/origin/custom/${id}/connect`, body, signed(secret, body))
    expect([again.status, again.body.scope_id]).toEqual([200, `${id}_${amojo_id}`])
    expect(
      await ctx.db
        .selectFrom('channels')
        .select(['name', 'callback_url', 'protocol', 'delivery', 'integration_id'])
        .execute(),
    ).toEqual([
      {
        name: 'Messenger',
        callback_url: 'https://shop.example/chat/:scope_id',
        protocol: 'live',
        delivery: 'once',
        integration_id: client_id,
      },
    ])

    // It connects the account only on request.
    expect(await printed(CHANNEL)).toMatch(/^channel_id: \S{36}\nsecret: [\da-f]{80}\nbot_id: \S{36}\n$/)
    const connections = await ctx.db.selectFrom('channel_connections').selectAll().execute()
    expect(connections.map(({ channel_id }) => channel_id)).toEqual([id])
  })

  test('creates an account, a person and an integration, and the printed code can be exchanged for tokens', async () => {
    const { printed, serving } = await fresh()
    expect(
      await printed(`${ACCOUNT} --language pt --country BR --currency BRL --timezone America/Sao_Paulo`),
    ).toBe('Account 1: http://acme.localhost:8080\n')
    const person = await printed(PERSON)
    expect(person).toMatch(/^User 1: Ann@acme\.example\nPassword: \w{20}\n$/)
    const shop = await printed(
      `${INTEGRATION} --permissions crm,chats --disable-hook-url https://shop.example/bye --public`,
    )
    const [, client_id = '', client_secret = '', code = ''] =
      /^client_id: (\S{36})\nclient_secret: (\w{64})\ncode \(20 minutes\): (pbc_[\w-]{43})\n$/.exec(shop) ??
      []

    const { ctx, stranger } = await serving()
    const tokens = await exchange(stranger, { client_id, client_secret, redirect_uri: REDIRECT_URI, code })
    expect(tokens.status).toBe(200)
    const account = await stranger.as({ token: tokens.body.access_token }).get('/api/v4/account')
    expect(account.body).toMatchObject({
      id: 1,
      name: 'Acme',
      subdomain: 'acme',
      country: 'BR',
      currency: 'BRL',
      language: 'pt',
    })
    const password = /Password: (\w+)/.exec(person)?.[1]
    expect((await stranger.post('/web/session', { email: 'ann@acme.example', password })).status).toBe(200)
    expect(
      await ctx.db.selectFrom('integrations').select(['permissions', 'access', 'disable_hook_url']).execute(),
    ).toEqual([
      { permissions: '["crm","chats"]', access: 'public', disable_hook_url: 'https://shop.example/bye' },
    ])
  })

  test('prints JSON for scripts, and lists accounts and people', async () => {
    const { printed } = await fresh()
    expect(await printed('account list')).toBe('')
    expect(await printed('account list --json')).toBe('[]\n')
    const made = async (command: string) => JSON.parse(await printed(`${command} --json`))
    expect(await made(ACCOUNT)).toEqual({ id: 1, subdomain: 'acme', url: 'http://acme.localhost:8080' })
    await printed('account create --subdomain mill --name Mill')
    expect(await made(PERSON)).toEqual({
      id: 1,
      email: 'Ann@acme.example',
      password: expect.stringMatching(/^\w{20}$/),
    })
    expect(await made(PERSON.replace('acme ', 'mill '))).toMatchObject({ id: 1, password: null })
    await printed('user create --account acme --email bo@acme.example --name Bo --role sales')
    await printed('user create --account acme --email cy@acme.example --name Cy')
    expect(await made(INTEGRATION)).toEqual({
      client_id: expect.stringMatching(/^\S{36}$/),
      client_secret: expect.stringMatching(/^\w{64}$/),
      code: expect.stringMatching(/^pbc_/),
    })
    const { channel_id, scope_id, ...rest } = await made(`${CHANNEL} --connect`)
    expect([scope_id.startsWith(`${channel_id}_`), Object.keys(rest)]).toEqual([true, ['secret', 'bot_id']])
    await printed('account unpaid --account mill')
    expect(await printed('account list')).toBe('1  acme  Acme  people: 3\n2  mill  Mill  people: 1, unpaid\n')
    expect(await made('account list')).toMatchObject([
      { id: 1, subdomain: 'acme', people: 3, paid_until: null },
      { id: 2, subdomain: 'mill', people: 1, paid_until: expect.any(Number) },
    ])
    expect(await printed('user list --account acme')).toBe(
      [
        '1  ann@acme.example  Ann  administrator\n',
        '2  bo@acme.example   Bo   Sales\n',
        '3  cy@acme.example   Cy   no role\n',
      ].join(''),
    )
    expect((await made('user list --account mill')).map(({ id }: { id: number }) => id)).toEqual([1])
  })

  test('reads a password from the first line of standard input, and does not print it', async () => {
    const { env, printed, serving } = await fresh()
    await printed(ACCOUNT)
    const password = 'correct horse battery staple'
    expect(
      await commandLine([...PERSON.split(' '), '--password-stdin'], env, `${password}\nsecond line\n`),
    ).toEqual({
      code: 0,
      stdout: 'User 1: Ann@acme.example\n',
      stderr: '',
    })
    const { stranger } = await serving()
    expect((await stranger.post('/web/session', { email: 'ann@acme.example', password })).status).toBe(200)
  })

  test('keeps the password of a known person in a second account, and prints none', async () => {
    const { printed, serving } = await fresh()
    await printed(ACCOUNT)
    const password = /Password: (\w+)/.exec(await printed(PERSON))?.[1]
    await printed('account create --subdomain other --name Other')
    await printed(PERSON.replace('acme ', 'other '))
    const { stranger } = await serving()
    expect((await stranger.post('/web/session', { email: 'ann@acme.example', password })).status).toBe(200)
  })
})

describe('user password', () => {
  test('sets a new password, ends the sessions, is recorded in each account, and rejects weak passwords', async () => {
    const { printed, run, serving } = await fresh()
    for (const command of [ACCOUNT, PERSON]) await printed(command)
    const text = await printed('user password --email ANN@acme.example')
    const [, password] = /^User 1: ann@acme\.example\nPassword: (\w{20})\n$/.exec(text) ?? []
    const { ctx, stranger } = await serving()
    const credentials = { email: 'ann@acme.example', password }
    expect((await stranger.post('/web/session', credentials)).status).toBe(200)
    const log = await ctx.db
      .selectFrom('audit_log')
      .select(['account_id', 'user_id', 'action', 'details'])
      .execute()
    expect(log).toContainEqual({
      account_id: 1,
      user_id: 0,
      action: 'user.password_set',
      details: '{"id":1}',
    })
    expect(JSON.stringify(log)).not.toContain(password)

    expect(await run('user password --email nobody@acme.example')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no user with the e-mail nobody@acme.example.\n',
    })
  })
})

test('An e-mail is found in either form of Unicode', async () => {
  const { printed } = await fresh()
  const [composed, decomposed] = ['Ren\u00e9e@acme.example', 'Rene\u0301e@acme.example']
  await printed(ACCOUNT)
  await printed(PERSON.replace('Ann@acme.example', decomposed))
  for (const email of [composed, decomposed])
    expect(await printed(`user password --email ${email}`)).toMatch(/^User 1: ren\u00e9e@acme\.example\n/)
  await printed(INTEGRATION.replace('ann@ACME.example', decomposed))
})

describe('user create --role', () => {
  test('assigns a role of the account, and lists the roles if there is no such role', async () => {
    const { printed, run, serving } = await fresh()
    for (const command of [ACCOUNT, PERSON]) await printed(command)
    const ben = 'user create --account acme --email ben@acme.example --name Ben'
    expect(await run(`${ben} --role Boss`)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no role "Boss". Roles of this account: "Sales".\n',
    })
    await printed(`${ben} --role sales`)
    const { ctx } = await serving()
    const members = await ctx.db
      .selectFrom('members')
      .select(['user_id', 'role_id'])
      .orderBy('user_id')
      .execute()
    expect(members.map(({ role_id }) => role_id)).toEqual([null, 1])
  })
})

describe('account unpaid and account paid', () => {
  test('switch reads to 402 and back to 200, and validate the date', async () => {
    const { printed, run, serving } = await fresh()
    for (const command of [ACCOUNT, PERSON]) await printed(command)
    const shop = await printed(INTEGRATION)
    const [client_id = '', client_secret = '', code = ''] = shop.match(/(?<=: )\S+$/gm) ?? []
    const { stranger } = await serving()
    const keys = { client_id, client_secret, redirect_uri: REDIRECT_URI, code }
    const { body } = await exchange(stranger, keys)
    const integration = stranger.as({ token: body.access_token })
    const events = async () => (await integration.get('/api/v4/events')).status
    expect(await events()).toBe(200)
    expect(await printed('account unpaid --account acme')).toBe('Account 1: unpaid\n')
    expect(await events()).toBe(402)
    expect(await printed('account paid --account acme --until 2020-01-31')).toBe(
      'Account 1: paid until 2020-01-31\n',
    )
    expect(await events()).toBe(402)
    expect(await printed('account paid --account acme')).toBe('Account 1: paid for good\n')
    expect(await events()).toBe(200)
    for (const day of ['tomorrow', '2027-02-31', '2027-2-1', '2027-01-31T10:00'])
      expect(await run(`account paid --account acme --until ${day}`)).toEqual({
        code: 1,
        stdout: '',
        stderr: `--until is not a date such as 2027-01-31: ${day}\n`,
      })
  })
})

describe('A command for an existing server', () => {
  test.each([
    ['account create --subdomain acme --name Acme'],
    ['user password --email ann@acme.example'],
    ['backup /nowhere/b.gz'],
  ])('%s creates no database, and names the settings', async (command) => {
    const { env, run } = await fresh({ migrated: false })
    const { code, stdout, stderr } = await run(command)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^There is no Patchbay database in \S.*\. Set DATA_DIR or DATABASE_URL to that of your server\..*\n$/,
    )
    expect(readdirSync(env.DATA_DIR)).toEqual([])
    // The message is the same without a master key: a new key would be wrong.
    expect(await commandLine(command.split(' '), { ...env, MASTER_KEY: '' })).toMatchObject({ code: 1 })
  })

  test('works with the settings of a development server that serve would refuse', async () => {
    const { env } = await fresh()
    const settings = { HOST: '0.0.0.0', PUBLIC_URL: 'http://patchbay:8080', TEST_HELPERS: 'on' }
    expect(await commandLine(ACCOUNT.split(' '), { ...env, ...settings })).toEqual({
      code: 0,
      stdout: 'Account 1: http://acme.patchbay:8080\n',
      stderr: '',
    })
  })

  test('names DATABASE_URL if no database is reachable', async () => {
    const env = {
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      MASTER_KEY: newMasterKey(),
      LOG_LEVEL: 'silent',
    }
    const { code, stderr } = await commandLine(['migrate'], env)
    expect([code, stderr]).toEqual([1, 'DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1\n'])
  })
})

describe('Invalid input is rejected with a message, and changes nothing', () => {
  const long = 'x'.repeat(256)
  const wrong: [string, string][] = [
    ['account create --subdomain Acme --name A', 'subdomain: This value should match'],
    ['account create --subdomain a_b --name A', 'subdomain: This value should match'],
    ['account create --subdomain a.b --name A', 'subdomain: This value should match'],
    ['account create --subdomain acme --name A', 'subdomain: This subdomain is taken.'],
    [
      `account create --subdomain b --name ${long}`,
      'name: This value is too long. It should have 255 characters or less.',
    ],
    [
      'account create --subdomain b --name A --language xx',
      'language: The value you selected is not a valid choice.',
    ],
    ['account create --subdomain b --name A --country Brazil', 'country: '],
    ['account create --subdomain b --name A --currency $', 'currency: '],
    ['user create --account none --email a@b.example --name A', 'There is no account "none".'],
    ['user create --account acme --email nobody --name A', 'email: This value is not a valid email.'],
    [
      `user create --account acme --email a@b.example --name ${long}`,
      'name: This value is not a valid name.',
    ],
    [INTEGRATION.replace('ann@ACME', 'bob@acme'), 'bob@acme.example is not an active member of "acme".'],
    [INTEGRATION.replace('ann@ACME', 'ben@acme'), ''],
    [INTEGRATION.replace('--account acme', '--account none'), 'There is no account "none".'],
    [INTEGRATION.replace(REDIRECT_URI, 'shop'), 'redirect_uri: This value is not a valid URL.'],
    [INTEGRATION.replace(REDIRECT_URI, 'javascript:alert(1)'), 'redirect_uri: '],
    [
      INTEGRATION.replace('Shop', long),
      'name: This value is too long. It should have 255 characters or less.',
    ],
    [
      `${INTEGRATION} --permissions crm,everything`,
      'permissions.1: The value you selected is not a valid choice.',
    ],
    [
      `${INTEGRATION} --permissions crm,crm`,
      'permissions: This collection should contain only unique elements.',
    ],
    [CHANNEL.replace('Ann@', 'bob@'), 'bob@acme.example is not an active member of "acme".'],
    [CHANNEL.replace('Ann@', 'ben@'), ''],
    [CHANNEL.replace('https', 'ftp'), 'callback_url: This value is not a valid URL.'],
    [
      'account create --subdomain b --name B --timezone Europe/Nowhere',
      'timezone: This value should be the name of a time zone, such as Europe/Madrid.',
    ],
    [
      'account create --subdomain b --name B --currency ZZZ',
      'currency: This value should be the ISO 4217 code of a currency, such as EUR.',
    ],
    [
      'account create --subdomain b --name B --country ZZ',
      'country: This value should be the ISO 3166-1 code of a country, such as ES.',
    ],
    [`${CHANNEL} --protocol loud`, 'protocol: The value you selected is not a valid choice.'],
    [`${CHANNEL} --delivery never`, 'delivery: The value you selected is not a valid choice.'],
    [
      `${CHANNEL} --integration shop`,
      'integration_id: The account has no integration of its own with this id.',
    ],
    [`${INTEGRATION} --disable-hook-url shop`, 'disable_hook_url: This value is not a valid URL.'],
  ]

  test('for every kind of input', async () => {
    const { run, printed, serving } = await fresh()
    await printed(ACCOUNT)
    await printed(PERSON)
    await printed('user create --account acme --email ben@acme.example --name Ben')
    for (const [command, message] of wrong) {
      const { code, stdout, stderr } = await run(command)
      expect([command, code, stdout]).toEqual([command, 1, ''])
      expect([command, stderr]).toEqual([command, expect.stringContaining(message)])
      // The output is sentences without a stack.
      expect(stderr).not.toMatch(/\n {4}at /)
    }
    const { ctx } = await serving()
    const made = (['accounts', 'users', 'integrations', 'channels'] as const).map(
      async (table) => (await ctx.db.selectFrom(table).select('id').execute()).length,
    )
    expect(await Promise.all(made)).toEqual([1, 2, 0, 0])
  })

  test('a token of the first account gives no access to a second account', async () => {
    const { printed, serving } = await fresh()
    for (const command of [ACCOUNT, PERSON, 'account create --subdomain other --name Other'])
      await printed(command)
    const shop = await printed(INTEGRATION)
    const [client_id = '', client_secret = '', code = ''] = shop.match(/(?<=: )\S+$/gm) ?? []
    const { stranger } = await serving()
    const { body } = await exchange(stranger, { client_id, client_secret, redirect_uri: REDIRECT_URI, code })
    expect(await accountStatus(stranger, body.access_token)).toBe(200)
    expect(await accountStatus(stranger.as({ host: 'other.localhost:8080' }), body.access_token)).toBe(401)
  })
})
