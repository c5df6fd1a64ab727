import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { accountStatus, connect, register } from '../../../test/fixtures/integrations.ts'
import { type Person, type World, world } from '../../../test/world.ts'
import { addMember } from '../people/people.ts'
import { completeRights, everything } from './rights.ts'

const USERS = '/web/v4/users'
const PASSWORD = 'blue otter sings 9'
const leads = { view: 'G', edit: 'M', add: 'A', delete: 'D', export: 'D' } as const

const seen = (person: Person, rights = {}) => ({
  id: person.id,
  name: person.name,
  email: person.email,
  lang: 'en',
  rights: {
    ...completeRights(),
    is_admin: false,
    is_free: false,
    is_active: true,
    group_id: 0,
    role_id: null,
    ...rights,
  },
  _links: { self: { href: `http://demo.localhost:8080${USERS}/${person.id}` } },
})

/** The state that a rejected request must not change. */
async function traces({ ctx }: World) {
  const members = await ctx.db.selectFrom('members').selectAll().orderBy('user_id').execute()
  const users = await ctx.db.selectFrom('users').selectAll().orderBy('id').execute()
  return { members, users, log: await actions(ctx) }
}

async function actions(ctx: World['ctx']) {
  const rows = await ctx.db.selectFrom('audit_log').select(['action', 'details']).orderBy('id').execute()
  return rows.map(({ action, details }) => [action, JSON.parse(details)])
}

const pathsOf = (answer: { body: { 'validation-errors': { errors: { path: string }[] }[] } }) =>
  answer.body['validation-errors'].flatMap(({ errors }) => errors.map(({ path }) => path))

describe('Users: reading', () => {
  test('GET /users lists all people with their effective rights and the total count', async () => {
    const { admin, addPerson } = await world()
    const ann = await addPerson({ rights: { leads } })
    const answer = await admin.browser.get(USERS)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      _total_items: 2,
      _page: 1,
      _page_count: 1,
      _links: { self: { href: `http://demo.localhost:8080${USERS}?page=1&limit=50` } },
      _embedded: { users: [seen(admin, { ...everything, is_admin: true }), seen(ann, { leads })] },
    })
    expect((await admin.browser.get(`${USERS}/${ann.id}`)).body).toEqual(seen(ann, { leads }))
  })

  test('with adds role, group and the other requested members', async () => {
    const { admin, addPerson, ctx } = await world()
    const role = (await admin.browser.post('/web/v4/roles', { name: 'Manager', rights: { leads } })).body
    const group = (await admin.browser.post('/web/v4/groups', { name: 'North' })).body
    const ann = await addPerson({ role_id: role.id, group_id: group.id, phone_number: '+1 202 555 0101' })
    const row = await ctx.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', ann.id)
      .executeTakeFirstOrThrow()
    const query = 'with=role,group,uuid,amojo_id,user_rank,phone_number'
    expect((await admin.browser.get(`${USERS}/${ann.id}?${query}`)).body).toEqual({
      ...seen(ann, { leads, role_id: role.id, group_id: group.id }),
      uuid: row.uuid,
      amojo_id: row.amojo_id,
      user_rank: null,
      phone_number: '+1 202 555 0101',
      _embedded: {
        roles: [{ id: role.id, name: 'Manager', _links: role._links }],
        groups: [{ id: group.id, name: 'North' }],
      },
    })
  })

  test('page links keep the query, and next is present only before the last page (V4)', async () => {
    const { admin, addPerson } = await world()
    for (let i = 0; i < 4; i++) await addPerson()
    const page = async (query: string) => {
      const { body } = await admin.browser.get(`${USERS}?${query}`)
      const { _links, _embedded, ...head } = body
      const links = Object.entries(_links).map(([name, link]) => [
        name,
        (link as { href: string }).href.split('?')[1],
      ])
      return { ...head, links: Object.fromEntries(links), users: _embedded.users.length }
    }
    const counts = { _total_items: 5, _page_count: 3 }
    expect(await page('limit=2&with[]=role&with[]=group')).toEqual({
      ...counts,
      _page: 1,
      users: 2,
      links: {
        self: 'limit=2&with%5B0%5D=role&with%5B1%5D=group&page=1',
        next: 'limit=2&with%5B0%5D=role&with%5B1%5D=group&page=2',
      },
    })
    expect(await page('page=2&limit=2')).toEqual({
      ...counts,
      _page: 2,
      users: 2,
      links: { self: 'page=2&limit=2', prev: 'page=1&limit=2', next: 'page=3&limit=2' },
    })
    expect(await page('page=3&limit=2')).toMatchObject({ users: 1, links: { prev: 'page=2&limit=2' } })
    expect((await admin.browser.get(`${USERS}?page=9&limit=2`)).status).toBe(204)
    // V3: page 0 counts as 1.
    expect(await page('page=0&limit=250')).toMatchObject({ _page: 1, users: 5 })
    for (const query of ['limit=251', 'limit=0', 'page=-1', 'page=x']) {
      expect((await admin.browser.get(`${USERS}?${query}`)).status).toBe(400)
    }
  })

  onEmbedded('requires an administrator; ids of other accounts are not found', async () => {
    const place = await world()
    const ann = await place.addPerson()
    const stray = await place.addPerson({ account: await place.addAccount('other') })
    for (const path of [USERS, `${USERS}/${ann.id}`]) {
      expect((await place.stranger.get(path)).status).toBe(401)
      const refused = await ann.browser.get(path)
      expect(refused.status).toBe(403)
      expect(refused.body.detail).toBe('Insufficient rights to call this method')
    }
    for (const id of [stray.id, 999_999]) {
      expect((await place.admin.browser.get(`${USERS}/${id}`)).status).toBe(404)
    }
    expect((await place.admin.browser.get(`${USERS}/99999999999999999999`)).status).toBe(404)
  })
})

describe('Users: adding', () => {
  test('POST /users returns 201 with the users and their request_id, or their index', async () => {
    const { admin, ctx, stranger } = await world()
    const answer = await admin.browser.post(USERS, [
      {
        name: 'Bob',
        email: 'Bob@Example.com',
        password: PASSWORD,
        rights: { leads, is_free: false, group_id: null },
      },
      { name: 'Cy', email: 'cy@example.com', password: PASSWORD, lang: 'ru', is_admin: true, request_id: 7 },
    ])
    expect(answer.status).toBe(201)
    const [bob, cy] = answer.body._embedded.users
    expect(answer.body._total_items).toBe(2)
    expect(bob).toEqual({
      ...seen({ ...bob, name: 'Bob', email: 'bob@example.com' }, { leads }),
      request_id: '0',
    })
    expect(cy).toMatchObject({ lang: 'ru', request_id: 7, rights: { ...everything, is_admin: true } })
    expect(await actions(ctx)).toEqual([
      ['user.added', { id: bob.id }],
      ['user.added', { id: cy.id }],
    ])
    const session = await stranger.post('/web/session', { email: 'bob@example.com', password: PASSWORD })
    expect(session.body.user.id).toBe(bob.id)
  })

  onEmbedded.each<[string, object, string]>([
    ['a missing name', { name: undefined }, 'name'],
    ['a name of 51 characters', { name: 'x'.repeat(51) }, 'name'],
    ['no e-mail', { email: 'bob' }, 'email'],
    ['an e-mail that is a member already', { email: 'ada@example.com' }, 'email'],
    ['a short password', { password: 'blue otter' }, 'password'],
    ['a common password', { password: 'password1234' }, 'password'],
    ['a password of the own name', { password: 'bobby-bob-bobby' }, 'password'],
    ['an unknown role', { role_id: 77 }, 'role_id'],
    ['an unknown group', { rights: { group_id: 77 } }, 'group_id'],
    ['contradicting rights', { rights: { leads: { ...leads, edit: 'A' } } }, 'rights.leads.edit'],
    ['an unknown width', { rights: { leads: { ...leads, edit: 'X' } } }, 'rights.leads.edit'],
  ])('%s is rejected, and nobody of the batch is added (V5)', async (_what, change, path) => {
    const place = await world()
    await place.addPerson({ name: 'Ada', email: 'ada@example.com' })
    const before = await traces(place)
    const good = { name: 'Bobby', email: 'bob@example.com', password: PASSWORD }
    const answer = await place.admin.browser.post(USERS, [
      { ...good, email: 'first@example.com' },
      { ...good, ...change },
    ])
    expect(answer.status).toBe(400)
    expect(pathsOf(answer)).toEqual([path])
    expect(answer.body['validation-errors'][0].request_id).toBe('1')
    expect(await traces(place)).toEqual(before)
  })

  onEmbedded('a repeated e-mail, eleven users and an empty batch are rejected', async () => {
    const place = await world()
    const before = await traces(place)
    const user = (index: number) => ({ name: 'Bob', email: `bob${index}@example.com`, password: PASSWORD })
    const twice = await place.admin.browser.post(USERS, [user(1), { ...user(1), email: 'BOB1@example.com' }])
    expect(pathsOf(twice)).toEqual(['email'])
    for (const batch of [[], Array.from({ length: 11 }, (_, index) => user(index))]) {
      expect((await place.admin.browser.post(USERS, batch)).status).toBe(400)
    }
    expect(await traces(place)).toEqual(before)
  })

  test('an account has at most 100 users', async () => {
    const { admin, ctx, account } = await world()
    const [member] = await ctx.db.selectFrom('members').selectAll().execute()
    const [user] = await ctx.db.selectFrom('users').selectAll().execute()
    const ids = Array.from({ length: 98 }, (_, index) => 1_000 + index)
    await ctx.db.transaction().execute(async (tx) => {
      const unique = (id: number) => ({ id, uuid: `u${id}`, amojo_id: `a${id}`, email: `${id}@example.com` })
      await tx
        .insertInto('users')
        .values(ids.map((id) => ({ ...user, ...unique(id) }) as never))
        .execute()
      const rows = ids.map(
        (user_id) => ({ ...member, account_id: account.id, user_id, is_admin: 0 }) as never,
      )
      await tx.insertInto('members').values(rows).execute()
    })
    const draft = (name: string) => ({ name, email: `${name}@example.com`, password: PASSWORD })
    const two = await admin.browser.post(USERS, [draft('bob'), draft('cy')])
    expect(two.status).toBe(400)
    expect(two.body.type).toBe('http://demo.localhost:8080/docs/errors#user_limit')
    expect((await admin.browser.post(USERS, [draft('bob')])).status).toBe(201)
  })

  onEmbedded('requires an administrator', async () => {
    const place = await world()
    const ann = await place.addPerson()
    const before = await traces(place)
    const draft = [{ name: 'Bob', email: 'bob@example.com', password: PASSWORD }]
    expect((await place.stranger.post(USERS, draft)).status).toBe(401)
    expect((await ann.browser.post(USERS, draft)).status).toBe(403)
    expect(await traces(place)).toEqual(before)
  })
})

describe('Users: people of several accounts', () => {
  test('keep their name and password when an administrator of both adds them', async () => {
    const { admin, addAccount, ctx, stranger } = await world()
    const other = await addAccount('other')
    const eve = { name: 'Eve', email: 'eve@example.com', password: 'quiet lakes at 5am' }
    const id = await addMember(ctx, other.id, eve)
    await addMember(ctx, other.id, { name: admin.name, email: admin.email, password: null, is_admin: true })
    const answer = await admin.browser.post(USERS, [
      { name: 'Evelyn', email: 'EVE@example.com', password: PASSWORD },
    ])
    expect(answer.status).toBe(201)
    expect(answer.body._embedded.users[0]).toMatchObject({ id, name: 'Eve' })
    const signIn = (password: string) => stranger.post('/web/session', { email: eve.email, password })
    expect((await signIn(PASSWORD)).status).toBe(401)
    const { body } = await signIn(eve.password)
    expect(body.accounts.map(({ subdomain }: { subdomain: string }) => subdomain)).toEqual(['demo', 'other'])
  })

  test('cannot be added by a stranger, who may know their password', async () => {
    const place = await world()
    const other = await place.addAccount('other')
    const eve = await place.addPerson({ name: 'Eve', account: other })
    const before = await traces(place)
    const answer = await place.admin.browser.post(USERS, [
      { name: 'Eve', email: eve.email, password: PASSWORD },
    ])
    expect(answer.status).toBe(400)
    expect(pathsOf(answer)).toEqual(['email'])
    expect(await traces(place)).toEqual(before)
  })

  test('are added by only one of two accounts that add them concurrently', async () => {
    const place = await world()
    const boss = await place.addPerson({ account: await place.addAccount('other'), is_admin: true })
    const draft = [{ name: 'Eve', email: 'eve@example.com', password: PASSWORD }]
    const answers = await Promise.all([
      place.admin.browser.post(USERS, draft),
      boss.browser.post(USERS, draft),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
  })

  test('are validated for the operator as for a route', async () => {
    const { ctx, account } = await world()
    const bob = { name: 'Bob', email: 'bob@example.com', password: null }
    for (const spoiled of [
      { ...bob, name: ' ' },
      { ...bob, email: 'bob' },
      { ...bob, password: 'blue otter' },
    ])
      await expect(addMember(ctx, account.id, spoiled)).rejects.toMatchObject({ reason: 'invalid' })
  })

  test('can be renamed only by themselves', async () => {
    const place = await world()
    const eve = await place.addPerson({ name: 'Eve' })
    await place.addPerson({ name: 'Eve', email: eve.email, account: await place.addAccount('other') })
    const before = await traces(place)
    const refused = await place.admin.browser.patch(`${USERS}/${eve.id}`, { name: 'Mallory' })
    expect(refused.status).toBe(403)
    expect(await traces(place)).toEqual(before)
    expect((await place.admin.browser.patch(`${USERS}/${eve.id}`, { is_admin: true })).status).toBe(200)
    expect((await eve.browser.patch(`${USERS}/${eve.id}`, { name: 'Eva' })).body.name).toBe('Eva')
  })
})

describe('Users: changing', () => {
  test('PATCH changes the named members, and keeps omitted rights', async () => {
    const { admin, addPerson, ctx } = await world()
    const ann = await addPerson({ rights: { leads, mail_access: true } })
    const contacts = { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'A' }
    const patch = { name: 'Anna', lang: 'es', phone_number: '+34 600 000 000', rights: { contacts } }
    const answer = await admin.browser.patch(`${USERS}/${ann.id}`, patch)
    expect(answer.status).toBe(200)
    const rights = { leads, contacts, mail_access: true }
    expect(answer.body).toEqual({ ...seen({ ...ann, name: 'Anna' }, rights), lang: 'es' })
    expect(await actions(ctx)).toEqual([
      ['user.changed', { id: ann.id, changed: ['name', 'lang', 'phone_number', 'rights'] }],
    ])
    await admin.browser.patch(`${USERS}/${ann.id}`, patch)
    expect(await actions(ctx)).toHaveLength(1)
  })

  test("a role's rights replace a member's own, from the next request", async () => {
    const { admin, addPerson } = await world()
    const ann = await addPerson({ rights: { leads } })
    const role = (await admin.browser.post('/web/v4/roles', { name: 'Boss' })).body
    const rightsOf = async () => (await admin.browser.get(`${USERS}/${ann.id}`)).body.rights.leads
    await admin.browser.patch(`${USERS}/${ann.id}`, { role_id: role.id })
    expect(await rightsOf()).toEqual(completeRights().leads)
    await admin.browser.patch(`/web/v4/roles/${role.id}`, { rights: { leads: everything.leads } })
    expect(await rightsOf()).toEqual(everything.leads)
    await admin.browser.patch(`${USERS}/${ann.id}`, { role_id: null })
    expect(await rightsOf()).toEqual(leads)
  })

  onEmbedded.each<[string, object, string]>([
    ['an unknown role', { role_id: 5 }, 'role_id'],
    ['another group', { group_id: 5 }, 'group_id'],
    [
      'rights that contradict the kept ones',
      { rights: { tasks: { edit: 'D', delete: 'A' } } },
      'rights.tasks.delete',
    ],
    ['a text for a flag (V2)', { is_admin: 'true' }, 'is_admin'],
    ['a name with a control character', { name: 'A\u0001nn' }, 'name'],
  ])('%s is rejected', async (_what, patch, path) => {
    const place = await world()
    const ann = await place.addPerson()
    const before = await traces(place)
    const answer = await place.admin.browser.patch(`${USERS}/${ann.id}`, { lang: 'pt', ...patch })
    expect(answer.status).toBe(400)
    expect(pathsOf(answer)).toEqual([path])
    expect(await traces(place)).toEqual(before)
  })

  onEmbedded.each<[string, (browser: Person['browser'], id: number) => ReturnType<Person['browser']['get']>]>(
    [
      ['PATCH', (browser, id) => browser.patch(`${USERS}/${id}`, { is_admin: true })],
      ['activate', (browser, id) => browser.post(`${USERS}/${id}/activate`)],
      ['deactivate', (browser, id) => browser.post(`${USERS}/${id}/deactivate`)],
      ['DELETE', (browser, id) => browser.delete(`${USERS}/${id}`)],
    ],
  )('%s: nobody 401, a plain member 403, another account 404', async (_what, ask) => {
    const place = await world()
    const ann = await place.addPerson()
    const bob = await place.addPerson({ name: 'Bob' })
    const stray = await place.addPerson({ account: await place.addAccount('other') })
    const before = await traces(place)
    expect((await ask(place.stranger, bob.id)).status).toBe(401)
    expect((await ask(ann.browser, bob.id)).status).toBe(403)
    expect((await ask(ann.browser, ann.id)).status).toBe(403)
    expect((await ask(place.admin.browser, stray.id)).status).toBe(404)
    expect(await traces(place)).toEqual(before)
  })
})

describe('A7: what ends with a membership', () => {
  onEmbedded(
    "a deactivated member's sessions and tokens end, and stay invalid after reactivation",
    async () => {
      const { admin, addPerson, stranger, ctx } = await world()
      const eve = await addPerson({ name: 'Eve', is_admin: true })
      const { access_token } = await connect(stranger, await register(eve))
      expect(await accountStatus(stranger, access_token)).toBe(200)
      expect((await admin.browser.post(`${USERS}/${eve.id}/deactivate`)).status).toBe(204)
      expect(await accountStatus(stranger, access_token)).toBe(401)
      expect((await eve.browser.get('/web/v4/account')).status).toBe(401)
      const back = await admin.browser.post(`${USERS}/${eve.id}/activate`)
      expect([back.status, back.body.rights.is_active]).toEqual([202, true])
      expect(await accountStatus(stranger, access_token)).toBe(401)
      expect((await eve.browser.get('/web/v4/account')).status).toBe(401)
      const log = (await actions(ctx)).map(([action]) => action)
      expect(log.filter((action) => action.startsWith('user.'))).toEqual([
        'user.deactivated',
        'user.activated',
      ])
    },
  )

  test('a list of members is activated or deactivated completely or not at all', async () => {
    const { admin, addPerson } = await world()
    const people = [await addPerson(), await addPerson()]
    const list = people.map(({ id }) => ({ id }))
    const active = () =>
      Promise.all(
        people.map(async ({ id }) => (await admin.browser.get(`${USERS}/${id}`)).body.rights.is_active),
      )
    const send = async (verb: string, body: unknown) => {
      const { status, text } = await admin.browser.post(`${USERS}/${verb}`, body)
      return [status, status === 204 ? text : JSON.parse(text)['validation-errors']?.[0].errors[0].path]
    }
    expect(await send('deactivate', [...list, { id: 999_999 }])).toEqual([400, 'id'])
    expect(await send('deactivate', [...list, { id: admin.id }])).toEqual([409, undefined])
    expect(await active()).toEqual([true, true])
    expect([await send('deactivate', list), await active()]).toEqual([
      [204, ''],
      [false, false],
    ])
    expect([await send('activate', list), await active()]).toEqual([
      [204, ''],
      [true, true],
    ])
    expect((await people[0]?.browser.post(`${USERS}/activate`, list))?.status).toBe(401)
  })

  onEmbedded(
    'a removed member is not found, and earlier grants stay invalid after they are added again',
    async () => {
      const { admin, addPerson, stranger } = await world()
      const eve = await addPerson({ name: 'Eve', is_admin: true })
      const { access_token } = await connect(stranger, await register(eve))
      expect((await admin.browser.delete(`${USERS}/${eve.id}`)).status).toBe(204)
      expect((await admin.browser.get(`${USERS}/${eve.id}`)).status).toBe(404)
      expect((await admin.browser.delete(`${USERS}/${eve.id}`)).status).toBe(404)
      expect((await admin.browser.get(USERS)).body._total_items).toBe(1)
      expect(await accountStatus(stranger, access_token)).toBe(401)
      const again = await admin.browser.post(USERS, [
        { name: 'Eve', email: eve.email, password: PASSWORD, is_admin: true },
      ])
      expect([again.status, again.body._embedded.users[0].id]).toEqual([201, eve.id])
      expect(await accountStatus(stranger, access_token)).toBe(401)
    },
  )

  test('other accounts of the person are not affected', async () => {
    const place = await world()
    const other = await place.addAccount('other')
    const eve = await place.addPerson({ name: 'Eve' })
    const there = await place.addPerson({ name: 'Eve', email: eve.email, account: other })
    await place.admin.browser.post(`${USERS}/${eve.id}/deactivate`)
    expect((await there.browser.get('/web/v4/account')).body.subdomain).toBe('other')
    expect((await there.browser.as({ host: 'demo.localhost:8080' }).get('/web/v4/account')).status).toBe(403)
  })
})

describe('Users: an account keeps an administrator', () => {
  const losses: [string, (browser: Person['browser'], id: number) => ReturnType<Person['browser']['get']>][] =
    [
      ['deactivated', (browser, id) => browser.post(`${USERS}/${id}/deactivate`)],
      ['removed', (browser, id) => browser.delete(`${USERS}/${id}`)],
      ['demoted', (browser, id) => browser.patch(`${USERS}/${id}`, { is_admin: false })],
    ]

  test.each(losses)('a member cannot be %s by themselves', async (_what, lose) => {
    const place = await world()
    await place.addPerson({ is_admin: true })
    const before = await traces(place)
    const { status, body } = await lose(place.admin.browser, place.admin.id)
    expect([status, body.type.split('#')[1]]).toEqual([409, 'own_access'])
    expect(await traces(place)).toEqual(before)
  })

  test.each(losses)('another administrator can be %s', async (_what, lose) => {
    const { admin, addPerson } = await world()
    const eve = await addPerson({ is_admin: true })
    expect((await lose(admin.browser, eve.id)).status).toBeLessThan(300)
    expect((await eve.browser.get(USERS)).status).toBeGreaterThanOrEqual(401)
  })

  test.each(losses)(
    'if two administrators try to have each other %s at once, one stays',
    async (_what, lose) => {
      const { admin, addPerson } = await world()
      const eve = await addPerson({ is_admin: true })
      const answers = await Promise.all([lose(admin.browser, eve.id), lose(eve.browser, admin.id)])
      const won = answers.filter(({ status }) => status < 300)
      expect(won).toHaveLength(1)
      const left = won[0] === answers[0] ? admin : eve
      expect((await left.browser.get(USERS)).status).toBe(200)
    },
  )
})
