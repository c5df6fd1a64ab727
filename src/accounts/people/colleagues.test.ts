import { expect, test } from 'vitest'
import { world } from '../../../test/world.ts'

test('every member can list the names of current and former members, and nothing else', async () => {
  const place = await world()
  const { admin } = place
  const ann = await place.addPerson({ name: 'Ann' })
  const bob = await place.addPerson({ name: 'Bob' })
  await admin.browser.delete(`/web/v4/users/${bob.id}`)
  const other = await place.addAccount('other')
  const eve = await place.addPerson({ name: 'Eve', account: other })
  const { status, body } = await ann.browser.get('/web/colleagues')
  expect(status).toBe(200)
  expect(body).toEqual({
    colleagues: [
      { id: admin.id, name: 'Ada', group_id: 0, is_active: true },
      { id: ann.id, name: 'Ann', group_id: 0, is_active: true },
      { id: bob.id, name: 'Bob', group_id: 0, is_active: false },
    ],
  })
  const { colleagues } = (await eve.browser.get('/web/colleagues')).body
  expect(colleagues.map(({ name }: { name: string }) => name)).toEqual(['Eve'])
  expect((await place.stranger.get('/web/colleagues')).status).toBe(401)
})
