import { expect, test } from 'vitest'
import { upload } from '../../../test/fixtures/files.ts'
import { world } from '../../../test/world.ts'

test('a value that names a file alone gets the name and the size of the file', async () => {
  const place = await world()
  const { browser } = place.admin
  const [field] = (await browser.post('/web/v4/leads/custom_fields', [{ name: 'Plan', type: 'file' }])).body
    ._embedded.custom_fields
  const file = await upload(browser, 'four', { file_name: 'Plan.pdf' })
  const other = await upload(
    (await place.addPerson({ account: await place.addAccount('other') })).browser,
    'x',
  )
  const fieldsOf = (value: object) => ({
    custom_fields_values: [{ field_id: field.id, values: [{ value }] }],
  })
  const stored = async (id: number) =>
    (await browser.get(`/web/v4/leads/${id}`)).body.custom_fields_values[0].values[0].value
  const whole = { file_uuid: file.uuid, file_name: 'Plan.pdf', file_size: 4 }

  const added = await browser.post('/web/v4/leads', [
    fieldsOf({ file_uuid: file.uuid }),
    fieldsOf({ file_uuid: file.uuid, version_uuid: file.version_uuid, file_name: 'Mine' }),
    fieldsOf({ file_uuid: other.uuid }),
    { name: 'None', custom_fields_values: null },
  ])
  const [bare, own, foreign] = added.body._embedded.leads.map(({ id }: { id: number }) => id)
  expect(await stored(bare)).toEqual(whole)
  expect(await stored(own)).toEqual({ ...whole, version_uuid: file.version_uuid, file_name: 'Mine' })
  expect(await stored(foreign)).toEqual({ file_uuid: other.uuid })

  const [before] = (await browser.get('/web/v4/leads')).body._embedded.leads
  await browser.patch(`/web/v4/leads/${bare}`, fieldsOf({ file_uuid: file.uuid }))
  expect((await browser.get('/web/v4/leads')).body._embedded.leads[0]).toEqual(before)
  await browser.patch(`/web/v4/leads/${foreign}`, fieldsOf({ file_uuid: file.uuid, file_name: null }))
  expect(await stored(foreign)).toEqual(whole)
  const wrong = await browser.patch(`/web/v4/leads/${bare}`, fieldsOf({ file_uuid: 5 }))
  expect(wrong.status).toBe(400)
})
