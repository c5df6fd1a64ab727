import { expect, test } from 'vitest'
import { faultsOf } from '../../../test/faults.ts'
import { holdHashing } from '../../../test/programs/fast-hashing.ts'
import { world } from '../../../test/world.ts'
import { createAccount } from '../accounts.ts'

const USERS = '/web/v4/users'
const draft = { name: 'Ann', email: 'ann@example.com', password: 'blue otter sings 9' }

test('people who cannot be added cost no hash, so others can sign in meanwhile', async () => {
  const here = await world()
  const { browser } = here.admin
  const other = await here.addPerson({ account: await here.addAccount('other') })
  holdHashing()
  const post = async (change: object) => faultsOf(await browser.post(USERS, [{ ...draft, ...change }]))
  expect([
    await post({ role_id: 999 }),
    await post({ group_id: 999 }),
    await post({ email: here.admin.email }),
    await post({ email: other.email }),
  ]).toEqual([
    [400, '0 NotSupportedChoice role_id'],
    [400, '0 NotSupportedChoice group_id'],
    [400, '0 NotUnique email'],
    [400, '0 NotUnique email'],
  ])
})

test.each(['drive', 'drive-eu'])(
  'no account can have the subdomain %s of the file service',
  async (subdomain) => {
    const { ctx } = await world()
    const made = ctx.db.transaction().execute((tx) => createAccount(ctx, tx, { name: 'Files', subdomain }))
    await expect(made).rejects.toMatchObject({ message: 'Request validation failed' })
  },
)
