import { expect, test } from 'vitest'
import { world } from '../../test/world.ts'
import { insertRows } from '../db/row-sets.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, i) => 1_000 + i)

test('an account has a limited number of roles and of groups', async () => {
  const { ctx, account, admin } = await world()
  const account_id = account.id
  const add = async (path: string, body: object) => {
    const answer = await admin.browser.post(`/web/v4/${path}`, body)
    return [answer.status, answer.body.type?.split('#')[1]]
  }
  const rest = async (table: 'roles' | 'groups') => {
    const rows = await ctx.db.selectFrom(table).select('id').where('account_id', '=', account_id).execute()
    return numbers(499 - rows.length)
  }
  const [roles, groups] = [await rest('roles'), await rest('groups')]
  await ctx.db.transaction().execute(async (tx) => {
    await insertRows(
      tx,
      'roles',
      roles.map((id) => ({ account_id, id, name: 'Role', rights: '{}' })),
    )
    await insertRows(
      tx,
      'groups',
      groups.map((id) => ({ account_id, id, name: 'Group', uuid: `${id}` })),
    )
  })
  expect(await add('roles', [{ name: 'a' }, { name: 'b' }])).toEqual([409, 'role_limit'])
  expect(await add('roles', [{ name: 'a' }])).toEqual([201, undefined])
  expect(await add('roles', [{ name: 'b' }])).toEqual([409, 'role_limit'])
  expect(await add('groups', { name: 'a' })).toEqual([201, undefined])
  expect(await add('groups', { name: 'b' })).toEqual([409, 'group_limit'])
})

test('an account has a limited number of integrations of its own', async () => {
  const { ctx, admin } = await world()
  const draft = { name: 'Shop', redirect_uri: 'https://shop.example/oauth' }
  expect((await admin.browser.post('/web/integrations', draft)).status).toBe(201)
  const row = await ctx.db.selectFrom('integrations').selectAll().executeTakeFirstOrThrow()
  const rows = numbers(999).map((number) => ({ ...row, number, id: `integration-${number}` }))
  await ctx.db.transaction().execute((tx) => insertRows(tx, 'integrations', rows))
  const answer = await admin.browser.post('/web/integrations', draft)
  expect([answer.status, answer.body.type.split('#')[1]]).toEqual([409, 'integration_limit'])
})
