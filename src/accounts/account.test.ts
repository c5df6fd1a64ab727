import { describe, expect, test } from 'vitest'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'
import { accountParts, offsetOf } from './settings/account-view.ts'

const rootOf = ({ account, admin }: World) => ({
  id: account.id,
  name: 'demo Ltd',
  subdomain: 'demo',
  created_at: BEGINNING,
  created_by: 0,
  updated_at: BEGINNING,
  updated_by: 0,
  current_user_id: admin.id,
  country: 'US',
  currency: 'USD',
  currency_symbol: '$',
  customers_mode: 'segments',
  is_unsorted_on: true,
  mobile_feature_version: 0,
  is_loss_reason_enabled: true,
  is_helpbot_enabled: false,
  is_technical_account: false,
  contact_name_display_order: 1,
  language: 'en',
  _links: { self: { href: 'http://demo.localhost:8080/api/v4/account' } },
})

const datetimeSettings = {
  date_pattern: 'd.m.Y H:i',
  short_date_pattern: 'd.m.Y',
  short_time_pattern: 'H:i',
  date_format: 'd.m.Y',
  time_format: 'H:i:s',
  timezone: 'UTC',
  timezone_offset: '+00:00',
}

async function bearer(place: World) {
  const { access_token } = await connect(place.stranger, await register(place.admin))
  return place.stranger.as({ token: access_token })
}

const parts: [string, (place: World) => object][] = [
  ['amojo_id', ({ account }) => ({ amojo_id: account.amojo_id })],
  ['uuid', ({ account }) => ({ uuid: account.uuid })],
  ['version', () => ({ version: 16 })],
  ['drive_url', () => ({ drive_url: 'http://demo.localhost:8080/drive' })],
  ['is_api_filter_enabled', () => ({ is_api_filter_enabled: true })],
  ['invoices_settings', () => ({ invoices_settings: { lang: 'en', invoices_catalog_id: null } })],
  ['amojo_rights', () => ({ _embedded: { amojo_rights: { can_direct: false, can_create_groups: false } } })],
  ['users_groups', () => ({ _embedded: { users_groups: [{ id: 0, name: 'Sales', uuid: null }] } })],
  [
    'task_types',
    () => ({
      _embedded: {
        task_types: [
          { id: 1, name: 'Follow-up', color: null, icon_id: null, code: 'FOLLOW_UP' },
          { id: 2, name: 'Meeting', color: null, icon_id: null, code: 'MEETING' },
        ],
      },
    }),
  ],
  ['datetime_settings', () => ({ _embedded: { datetime_settings: datetimeSettings } })],
  ['uuid,version', ({ account }) => ({ uuid: account.uuid, version: 16 })],
  ['nothing_known', () => ({})],
]

describe('V6: GET /api/v4/account', () => {
  test('returns the account, with members in the order that clients expect', async () => {
    const place = await world()
    const answer = await (await bearer(place)).get('/api/v4/account')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/hal+json')
    expect(answer.body).toEqual(rootOf(place))
    expect(Object.keys(answer.body)).toEqual(Object.keys(rootOf(place)))
  })

  test('with adds only the named parts', async () => {
    const place = await world()
    const api = await bearer(place)
    for (const [names, added] of parts) {
      const answer = await api.get(`/api/v4/account?with=${names}`)
      expect(answer.body, names).toEqual({ ...rootOf(place), ...added(place) })
    }
  })

  test('with=entity_names has every language, and the cases of Russian', async () => {
    const place = await world()
    const { body } = await (await bearer(place)).get('/api/v4/account?with[]=entity_names')
    expect(Object.keys(body.entity_names.leads)).toEqual(['en', 'es', 'pt', 'ru'])
    expect(body.entity_names.leads.en).toEqual({
      gender: 'm',
      singular_form: { default: 'lead' },
      plural_form: { default: 'leads' },
    })
    expect(body.entity_names.leads.ru).toEqual({
      gender: 'f',
      singular_form: {
        dative: 'сделке',
        default: 'сделка',
        genitive: 'сделки',
        accusative: 'сделку',
        instrumental: 'сделкой',
        prepositional: 'сделке',
      },
      plural_form: {
        dative: 'сделкам',
        default: 'сделки',
        genitive: 'сделок',
        accusative: 'сделки',
        instrumental: 'сделками',
        prepositional: 'сделках',
      },
    })
  })

  test('with accepts all eleven parts together', async () => {
    const place = await world()
    const { body } = await (await bearer(place)).get(`/api/v4/account?with=${accountParts.join(',')}`)
    const added = Object.keys({ ...body, ...body._embedded }).filter((name) => !(name in rootOf(place)))
    expect(added.filter((name) => name !== '_embedded').sort()).toEqual([...accountParts].sort())
  })

  test('requires a member of the account', async () => {
    const { addPerson, stranger } = await world()
    const ann = await addPerson()
    expect((await ann.browser.get('/web/v4/account')).body.current_user_id).toBe(ann.id)
    expect((await stranger.get('/api/v4/account')).status).toBe(401)
    expect((await stranger.get('/web/v4/account')).status).toBe(401)
    // A9: the API ignores the session cookie.
    expect((await ann.browser.get('/api/v4/account')).status).toBe(401)
  })
})

describe('datetime_settings are computed for the current time', () => {
  test.each([
    ['UTC', Date.UTC(2026, 0, 1), '+00:00'],
    ['Europe/Moscow', Date.UTC(2026, 0, 1), '+03:00'],
    ['Asia/Kolkata', Date.UTC(2026, 0, 1), '+05:30'],
    ['America/New_York', Date.UTC(2026, 2, 8, 6, 59, 59), '-05:00'],
    ['America/New_York', Date.UTC(2026, 2, 8, 7), '-04:00'],
    ['Europe/Lisbon', Date.UTC(2026, 9, 25, 0, 59, 59), '+01:00'],
    ['Europe/Lisbon', Date.UTC(2026, 9, 25, 1), '+00:00'],
  ])('%s at %i is %s', (timezone, at, offset) => {
    expect(offsetOf(timezone, at)).toBe(offset)
  })

  test('daylight saving time follows the clock', async () => {
    const { admin, clock, signIn } = await world()
    await admin.browser.patch('/web/v4/account', { timezone: 'America/New_York' })
    const offset = async () => {
      const browser = await signIn(admin)
      const { body } = await browser.get('/web/v4/account?with=datetime_settings')
      return body._embedded.datetime_settings.timezone_offset
    }
    expect(await offset()).toBe('-05:00')
    clock.set(Date.UTC(2026, 2, 8, 7) / 1000)
    expect(await offset()).toBe('-04:00')
  })
})

describe('PATCH /account', () => {
  const change = {
    name: 'Продажи',
    language: 'ru',
    timezone: 'Europe/Moscow',
    country: 'RU',
    currency: 'RUB',
  }

  test('an administrator changes the named settings, and the audit log records it', async () => {
    const { admin, clock, ctx } = await world()
    clock.advance(10)
    const answer = await admin.browser.patch('/web/v4/account?with=datetime_settings', change)
    expect(answer.status).toBe(200)
    const { timezone, ...rest } = change
    expect(answer.body._embedded.datetime_settings).toEqual({
      ...datetimeSettings,
      timezone,
      timezone_offset: '+03:00',
    })
    expect(answer.body).toMatchObject({
      ...rest,
      currency_symbol: '₽',
      updated_at: clock.now(),
      updated_by: admin.id,
    })
    expect(await audited(ctx)).toEqual([
      { action: 'account.changed', user_id: admin.id, details: { changed: Object.keys(change) } },
    ])
  })

  test('a patch without differences is not recorded', async () => {
    const { admin, clock, ctx } = await world()
    clock.advance(10)
    const { body } = await admin.browser.patch('/web/v4/account', { name: 'demo Ltd', currency: 'USD' })
    expect(body.updated_at).toBe(BEGINNING)
    expect(await audited(ctx)).toEqual([])
  })

  test.each([
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ timezone: '+03:00' }, 'timezone'],
    [{ country: 'XX' }, 'country'],
    [{ country: 'us' }, 'country'],
    [{ currency: 'ABC' }, 'currency'],
    [{ language: 'de' }, 'language'],
    [{ name: ' ' }, 'name'],
    [{ name: 'a\u0001b' }, 'name'],
    [{ name: 5 }, 'name'],
  ])('%j is rejected with the path of the fault', async (patch, path) => {
    const { admin, ctx } = await world()
    const { status, body } = await admin.browser.patch('/web/v4/account', { language: 'ru', ...patch })
    expect(status).toBe(400)
    expect(body['validation-errors'][0].errors.map((one: { path: string }) => one.path)).toEqual([path])
    expect((await admin.browser.get('/web/v4/account')).body.language).toBe('en')
    expect(await audited(ctx)).toEqual([])
  })

  test('requires an administrator of the account', async () => {
    const { stranger, addPerson, admin, ctx } = await world()
    const ann = await addPerson()
    expect((await stranger.patch('/web/v4/account', change)).status).toBe(401)
    expect((await ann.browser.patch('/web/v4/account', change)).status).toBe(403)
    expect((await admin.browser.get('/web/v4/account')).body.name).toBe('demo Ltd')
    expect(await audited(ctx)).toEqual([])
  })
})

async function audited(ctx: World['ctx']) {
  const rows = await ctx.db
    .selectFrom('audit_log')
    .select(['action', 'user_id', 'details'])
    .orderBy('id')
    .execute()
  return rows.map(({ details, ...row }) => ({ ...row, details: JSON.parse(details) }))
}
