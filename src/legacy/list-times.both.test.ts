import { expect } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { legacyClient } from '../../test/fixtures/legacy.ts'
import { BEGINNING, world } from '../../test/world.ts'

async function begun() {
  const place = await world()
  const { v4 } = await legacyClient(place)
  const get = (path: string) => v4.get(`/api/v2/${path}`)
  const add = async (path: string, item: object): Promise<number> =>
    (await v4.post(`/api/v2/${path}`, { add: [item] })).body._embedded.items[0].id
  return { ...place, get, add }
}

onEmbedded(
  'a list is filtered by dates in the time zone of the account, and empty limits are absent',
  async () => {
    const { add, get, admin } = await begun()
    const old = await add('leads', { name: 'Old', created_at: 1_570_651_200 })
    const young = await add('leads', { name: 'Young', created_at: BEGINNING })
    const found = async (range: string) => {
      const answer = await get(`leads?limit_rows=&limit_offset=&${range}`)
      expect(answer.status).toBe(answer.text === '' ? 204 : 200)
      return answer.text === '' ? [] : answer.body._embedded.items.map(({ id }: { id: number }) => id)
    }
    // 1570651200 is 20:00 UTC on 2019-10-09.
    for (const date of ['2019-10-10', '10.10.2019', '10/10/2019', '2019-10-10 00:00:00'])
      expect([date, await found(`filter[date_create][from]=${date}`)]).toEqual([date, [young]])
    await admin.browser.patch('/web/v4/account', { timezone: 'Asia/Tokyo' })
    for (const date of ['2019-10-10', '2019-10-10T05:00', '09.10.2019 23:59:59', '1570651200'])
      expect([date, await found(`filter[date_create][from]=${date}`)]).toEqual([date, [old, young]])
    expect(await found('filter[date_create][from]=2019-10-10 05:00:01')).toEqual([young])
    expect(
      await found('filter[date_create][0][from]=2019-10-10&filter[date_create][0][to]=2019-10-11'),
    ).toEqual([old])
    expect(await found('filter[date_modify][to]=2019-10-10')).toEqual([])
    expect(await found('filter[date_create][from]=&filter[date_create][to]=')).toEqual([old, young])
    for (const date of ['2019-02-30', '2019-13-01', 'yesterday', '1.1.2019'])
      expect([date, (await get(`leads?filter[date_create][from]=${date}`)).status]).toEqual([date, 400])
  },
)
