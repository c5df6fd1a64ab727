import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { type World, world } from '../../../test/world.ts'
import { completeRights } from '../members/rights.ts'

const ROLES = '/web/v4/roles'
const GROUPS = '/web/v4/groups'
const leads = { view: 'G', edit: 'M', add: 'A', delete: 'D', export: 'D' }
/** The role of a new account. */
const own = { view: 'A', edit: 'A', add: 'A', delete: 'M', export: 'D' }
const ofSales = {
  leads: own,
  contacts: own,
  companies: own,
  tasks: { edit: 'A', delete: 'M' },
  mail_access: true,
  catalog_access: true,
}
const link = (path: string) => ({ self: { href: `http://demo.localhost:8080${path}` } })
const role = (id: number, name: string, rights = {}) => ({
  id,
  name,
  rights: { ...completeRights(), ...rights },
  _links: link(`${ROLES}/${id}`),
})

async function traces({ ctx }: World) {
  const roles = await ctx.db.selectFrom('roles').selectAll().orderBy('id').execute()
  const groups = await ctx.db.selectFrom('groups').selectAll().orderBy('id').execute()
  const log = await ctx.db.selectFrom('audit_log').select('action').orderBy('id').execute()
  return { roles, groups, log: log.map(({ action }) => action) }
}

describe('Roles', () => {
  test('are added, singly or as a list, and listed with their users', async () => {
    const place = await world()
    const { admin, addPerson } = place
    const one = await admin.browser.post(ROLES, { name: 'Manager', rights: { leads, unknown: 1 } })
    expect([one.status, one.body]).toEqual([201, { ...role(2, 'Manager', { leads }), request_id: '0' }])
    const several = await admin.browser.post(ROLES, [{ name: 'A', request_id: 'x' }, { name: 'B' }])
    expect([several.status, several.body]).toEqual([
      201,
      {
        _total_items: 2,
        _links: link(ROLES),
        _embedded: {
          roles: [
            { ...role(3, 'A'), request_id: 'x' },
            { ...role(4, 'B'), request_id: '1' },
          ],
        },
      },
    ])
    const ann = await addPerson({ role_id: 2 })
    const list = await admin.browser.get(`${ROLES}?with=users&limit=2`)
    expect(list.body).toEqual({
      _total_items: 4,
      _page: 1,
      _page_count: 2,
      _links: {
        ...link(`${ROLES}?with=users&limit=2&page=1`),
        next: { href: `http://demo.localhost:8080${ROLES}?with=users&limit=2&page=2` },
      },
      _embedded: {
        roles: [
          { ...role(1, 'Sales', ofSales), _embedded: { users: [] } },
          { ...role(2, 'Manager', { leads }), _embedded: { users: [{ id: ann.id }] } },
        ],
      },
    })
    expect((await admin.browser.get(`${ROLES}/2`)).body).toEqual(role(2, 'Manager', { leads }))
    expect((await traces(place)).log).toEqual(['role.added', 'role.added', 'role.added'])
  })

  test('PATCH returns 202 and keeps omitted rights', async () => {
    const place = await world()
    await place.admin.browser.post(ROLES, { name: 'Manager', rights: { leads, mail_access: true } })
    const tasks = { edit: 'A', delete: 'M' }
    const answer = await place.admin.browser.patch(`${ROLES}/2`, { name: 'Boss', rights: { tasks } })
    expect(answer.status).toBe(202)
    expect(answer.body).toEqual(role(2, 'Boss', { leads, mail_access: true, tasks }))
    await place.admin.browser.patch(`${ROLES}/2`, { name: 'Boss', rights: { tasks } })
    expect((await traces(place)).log).toEqual(['role.added', 'role.changed'])
  })

  test('a role in use cannot be deleted, and the error names its users', async () => {
    const place = await world()
    const { admin, addPerson } = place
    await admin.browser.post(ROLES, { name: 'Manager' })
    const ann = await addPerson({ role_id: 2 })
    const before = await traces(place)
    const refused = await admin.browser.delete(`${ROLES}/2`)
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({
      type: 'http://demo.localhost:8080/docs/errors#role_in_use',
      detail: `This role is in use by Ann (${ann.id}).`,
    })
    expect(await traces(place)).toEqual(before)
    await admin.browser.delete(`/web/v4/users/${ann.id}`)
    expect((await admin.browser.delete(`${ROLES}/2`)).status).toBe(204)
    expect((await admin.browser.get(`${ROLES}/2`)).status).toBe(404)
  })

  onEmbedded.each<[string, unknown, string, string]>([
    ['no name', { rights: { leads } }, '0', 'name'],
    [
      'contradicting rights',
      { name: 'A', rights: { leads: { ...leads, export: 'A' } } },
      '0',
      'rights.leads.export',
    ],
    ['the second of two', [{ name: 'A' }, { name: '', request_id: 'b' }], 'b', 'name'],
  ])('%s is rejected', async (_what, body, request_id, path) => {
    const place = await world()
    const before = await traces(place)
    const answer = await place.admin.browser.post(ROLES, body)
    expect(answer.status).toBe(400)
    expect(answer.body['validation-errors']).toMatchObject([{ request_id, errors: [{ path }] }])
    expect(await traces(place)).toEqual(before)
  })
})

describe('Groups', () => {
  test("the default group of a new account is named in the account's language", async () => {
    const { admin } = await world()
    expect((await admin.browser.get(GROUPS)).body._embedded.groups).toEqual([
      { id: 0, name: 'Sales', uuid: null, _links: link(`${GROUPS}/0`) },
    ])
  })

  test('are added, renamed and deleted', async () => {
    const place = await world()
    const { admin } = place
    const added = await admin.browser.post(GROUPS, { name: 'North' })
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect([added.status, added.body]).toEqual([
      201,
      { id: 1, name: 'North', uuid, _links: link(`${GROUPS}/1`) },
    ])
    const renamed = await admin.browser.patch(`${GROUPS}/1`, { name: 'South' })
    expect([renamed.status, renamed.body]).toEqual([200, { ...added.body, name: 'South' }])
    expect((await admin.browser.get(`${GROUPS}?limit=1`)).body).toMatchObject({
      _total_items: 2,
      _page_count: 2,
    })
    expect((await admin.browser.delete(`${GROUPS}/1`)).status).toBe(204)
    expect((await admin.browser.delete(`${GROUPS}/1`)).status).toBe(404)
    expect((await traces(place)).log).toEqual(['group.added', 'group.changed', 'group.removed'])
  })

  test('the default group and a group with members cannot be deleted', async () => {
    const place = await world()
    await place.admin.browser.post(GROUPS, { name: 'North' })
    const ann = await place.addPerson({ group_id: 1 })
    const before = await traces(place)
    const first = await place.admin.browser.delete(`${GROUPS}/0`)
    expect([first.status, first.body.type.split('#')[1]]).toEqual([409, 'default_group'])
    const used = await place.admin.browser.delete(`${GROUPS}/1`)
    expect([used.status, used.body.detail]).toEqual([409, `This group is in use by Ann (${ann.id}).`])
    expect(await traces(place)).toEqual(before)
  })
})

describe('Roles and groups can be managed only by administrators of the account', () => {
  test.each([
    ['GET', ROLES, undefined],
    ['GET', `${ROLES}/2`, undefined],
    ['POST', ROLES, { name: 'A' }],
    ['PATCH', `${ROLES}/2`, { name: 'A' }],
    ['DELETE', `${ROLES}/2`, undefined],
    ['GET', GROUPS, undefined],
    ['POST', GROUPS, { name: 'A' }],
    ['PATCH', `${GROUPS}/1`, { name: 'A' }],
    ['DELETE', `${GROUPS}/1`, undefined],
  ])('%s %s', async (method, path, body) => {
    const place = await world()
    await place.admin.browser.post(ROLES, { name: 'Manager' })
    await place.admin.browser.post(GROUPS, { name: 'North' })
    const ann = await place.addPerson()
    const boss = await place.addPerson({ account: await place.addAccount('other'), is_admin: true })
    const before = await traces(place)
    const ask = ({ get, post, patch, delete: remove }: typeof place.stranger) =>
      ({
        GET: () => get(path),
        POST: () => post(path, body),
        PATCH: () => patch(path, body),
        DELETE: () => remove(path),
      })[method as 'GET']()
    expect((await ask(place.stranger)).status).toBe(401)
    expect((await ask(ann.browser)).status).toBe(403)
    expect(await traces(place)).toEqual(before)
    const foreign = await ask(boss.browser)
    expect(foreign.status).toBe(/\/\d$/.test(path) ? 404 : method === 'POST' ? 201 : 200)
    if (method === 'GET' && !/\/\d$/.test(path)) expect(foreign.text).not.toMatch(/Manager|North/)
  })
})
