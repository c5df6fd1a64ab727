import { describe, expect, test } from 'vitest'
import type { Answer } from '../../test/client.ts'
import { faultsOf } from '../../test/faults.ts'
import { upload } from '../../test/fixtures/files.ts'
import { add, log, traces } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'
import { completeRights } from '../accounts/members/rights.ts'

const kinds = { leads: 'lead', contacts: 'contact', companies: 'company', customers: 'customer' }
const NOBODY = '00000000-0000-4000-8000-000000000000'
const problem = ({ status, body }: Answer) => [status, body.detail]
const FORBIDDEN = [403, 'Insufficient rights to call this method']

/** A card, and two files that are not attached. */
async function withFiles(type = 'leads') {
  const all = await world()
  const { browser } = all.admin
  const card = await add(browser, type, { name: 'Roof' })
  const files = `/web/v4/${type}/${card}/files`
  const plan = await upload(browser, 'plan', { file_name: 'plan.txt' })
  const photo = await upload(browser, 'photo', { file_name: 'photo.txt' })
  const listed = async () =>
    (await browser.get(files)).body._embedded.files.map(({ file_uuid }: { file_uuid: string }) => file_uuid)
  const notes = async () =>
    (await browser.get(`/web/v4/${type}/${card}/notes?filter[note_type]=attachment`)).body._embedded.notes
  const attach = (...uuids: string[]) =>
    browser.put(
      files,
      uuids.map((file_uuid) => ({ file_uuid })),
    )
  const detach = (...uuids: string[]) =>
    browser.delete(
      files,
      uuids.map((file_uuid) => ({ file_uuid })),
    )
  return { ...all, browser, type, card, files, plan, photo, listed, notes, attach, detach }
}

const attachment = (file: { uuid: string; version_uuid: string }, name: string, file_name = name) => ({
  is_drive_attachment: true,
  text: file_name,
  original_name: name,
  attachment: name,
  file_uuid: file.uuid,
  version_uuid: file.version_uuid,
  file_name,
})

describe('The files of a card', () => {
  test.each(Object.entries(kinds))(
    '%s: a file is attached once, with a note and an event, and detached',
    async (type, kind) => {
      const { browser, card, files, plan, photo, notes, attach, detach, listed, ctx } = await withFiles(type)
      const href = `http://demo.localhost:8080${files}?limit=50`
      expect((await browser.get(files)).status).toBe(204)
      const known = (await log(ctx)).length
      expect((await attach(plan.uuid)).status).toBe(202)
      expect((await attach(plan.uuid, photo.uuid.toUpperCase(), photo.uuid)).status).toBe(202)
      const [one, two] = await notes()
      expect([one.params, two.params]).toEqual([attachment(plan, 'plan.txt'), attachment(photo, 'photo.txt')])
      expect((await browser.get(files)).body).toEqual({
        _links: { self: { href } },
        _embedded: {
          files: [
            { file_uuid: photo.uuid, id: two.id },
            { file_uuid: plan.uuid, id: one.id },
          ],
        },
      })
      const events = (await log(ctx)).slice(known).map(({ type, entity, after }) => [type, entity, after])
      expect(events).toEqual([
        ['attachment_note_added', [kind, card], [{ note: { id: one.id } }]],
        ['attachment_note_added', [kind, card], [{ note: { id: two.id } }]],
      ])
      expect((await detach(plan.uuid)).status).toBe(204)
      expect([await listed(), (await notes()).length]).toEqual([[photo.uuid], 1])
      expect((await browser.get(`/web/v4/${type}/notes/${one.id}`)).status).toBe(404)
      expect((await log(ctx)).length).toBe(known + 2)
      await attach(plan.uuid)
      expect(await listed()).toEqual([plan.uuid, photo.uuid])
    },
  )

  test('are listed in pages, newest first', async () => {
    const { browser, files, attach, listed } = await withFiles()
    const uuids: string[] = []
    for (let i = 0; i < 5; i++) uuids.push((await upload(browser, `${i}`)).uuid)
    for (const uuid of uuids) await attach(uuid)
    const seen: string[] = []
    let url: string | undefined = `${files}?limit=2`
    while (url) {
      const { body }: Answer = await browser.get(url)
      seen.push(...body._embedded.files.map(({ file_uuid }: { file_uuid: string }) => file_uuid))
      url = body._links.next?.href
    }
    expect([seen, await listed()]).toEqual([uuids.toReversed(), uuids.toReversed()])
    for (const query of ['limit=251', 'limit=0', 'before_id=x', 'before_id=0'])
      expect((await browser.get(`${files}?${query}`)).status).toBe(400)
  })

  test('can only be attached if they exist and are not in the trash, and detached if they are attached', async () => {
    const { browser, files, plan, photo, attach, detach, listed, ctx } = await withFiles()
    await attach(plan.uuid)
    await browser.delete('/web/drive/v1.0/files', [{ uuid: photo.uuid }])
    const before = await traces(ctx)
    for (const uuid of [NOBODY, photo.uuid]) {
      expect(faultsOf(await attach(plan.uuid, uuid))).toEqual([400, '1 NotSupportedChoice file_uuid'])
      expect(faultsOf(await detach(plan.uuid, uuid))).toEqual([400, '1 NotSupportedChoice file_uuid'])
    }
    expect(faultsOf(await browser.put(files, [{ file_uuid: 'x', request_id: 'r' }]))).toEqual([
      400,
      'r InvalidFormat file_uuid',
    ])
    expect(faultsOf(await browser.put(files, [{}]))).toEqual([400, '0 FieldMissing file_uuid'])
    expect((await browser.put(files, [])).status).toBe(400)
    expect([await traces(ctx), await listed()]).toEqual([before, [plan.uuid]])
  })

  test('are changed by people who can edit the card, and listed for those who can see it', async () => {
    const { browser, card, files, plan, ctx, addPerson, addAccount, stranger } = await withFiles()
    const reader = (
      await addPerson({
        rights: completeRights({ leads: { view: 'A', edit: 'D', add: 'D', delete: 'D', export: 'D' } }),
      })
    ).browser
    const blind = (await addPerson()).browser
    const far = (await addPerson({ account: await addAccount('other'), is_admin: true })).browser
    await browser.put(files, [{ file_uuid: plan.uuid }])
    const before = await traces(ctx)
    const body = [{ file_uuid: plan.uuid }]
    for (const path of [files, '/web/v4/leads/999999/files']) {
      for (const write of [() => blind.put(path, body), () => blind.delete(path, body)])
        expect(problem(await write())).toEqual(FORBIDDEN)
      for (const write of [
        () => far.put(path, body),
        () => far.delete(path, body),
        () => far.get(path),
        () => blind.get(path),
      ])
        expect(problem(await write())).toEqual([404, 'Entity not found'])
      for (const write of [
        () => stranger.put(path, body),
        () => stranger.delete(path, body),
        () => stranger.get(path),
      ])
        expect((await write()).status).toBe(401)
    }
    for (const write of [() => reader.put(files, body), () => reader.delete(files, body)])
      expect(problem(await write())).toEqual(FORBIDDEN)
    expect((await reader.get(files)).body._embedded.files.length).toBe(1)
    const own = await add(far, 'leads')
    expect(faultsOf(await far.put(`/web/v4/leads/${own}/files`, body))).toEqual([
      400,
      '0 NotSupportedChoice file_uuid',
    ])
    await browser.delete(`/web/v4/leads/${card}`)
    expect((await browser.get(files)).status).toBe(404)
    expect((await browser.put(files, body)).status).toBe(404)
    expect((await traces(ctx)).notes).toBe((before.notes as number) + 1)
  })

  test('are attached once by two concurrent requests', async () => {
    const { attach, plan, photo, listed } = await withFiles()
    const answers = await Promise.all([
      attach(plan.uuid, photo.uuid),
      attach(photo.uuid, plan.uuid),
      attach(plan.uuid),
    ])
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    expect((await listed()).toSorted()).toEqual([plan.uuid, photo.uuid].toSorted())
  })
})

describe('A file note', () => {
  test('is added with the file’s own name or another one', async () => {
    const { browser, card, plan, photo, notes, listed } = await withFiles()
    const note = (params: object) => ({ note_type: 'attachment', params })
    const answer = await browser.post(`/web/v4/leads/${card}/notes`, [
      note({ file_uuid: plan.uuid }),
      note({ file_uuid: photo.uuid, file_name: 'Roof.txt', version_uuid: photo.version_uuid, other: 1 }),
    ])
    expect(answer.status).toBe(200)
    const params = (await notes()).map(({ params }: { params: object }) => params)
    expect(params).toEqual([attachment(plan, 'plan.txt'), attachment(photo, 'photo.txt', 'Roof.txt')])
    expect(await listed()).toEqual([photo.uuid, plan.uuid])
  })

  test('can get another name or file', async () => {
    const { browser, plan, photo, attach, notes, listed } = await withFiles()
    await attach(plan.uuid)
    const [{ id }] = await notes()
    const edit = (params: object) => browser.patch(`/web/v4/leads/notes/${id}`, { params })
    expect((await edit({ file_name: 'Roof.txt' })).body.params).toEqual(
      attachment(plan, 'plan.txt', 'Roof.txt'),
    )
    expect((await edit({ file_uuid: photo.uuid })).body.params).toEqual(attachment(photo, 'photo.txt'))
    expect(await listed()).toEqual([photo.uuid])
    expect(faultsOf(await edit({ file_uuid: NOBODY }))).toEqual([
      400,
      '0 NotSupportedChoice params.file_uuid',
    ])
    expect(faultsOf(await edit({ file_name: '' }))).toEqual([400, '0 NotBlank params.file_name'])
    expect((await notes())[0].params).toEqual(attachment(photo, 'photo.txt'))
  })

  test('requires an existing file', async () => {
    const { browser, card, ctx } = await withFiles()
    const before = await traces(ctx)
    const post = (params: object) =>
      browser.post(`/web/v4/leads/${card}/notes`, [{ note_type: 'attachment', params }])
    expect(faultsOf(await post({ file_uuid: NOBODY }))).toEqual([
      400,
      '0 NotSupportedChoice params.file_uuid',
    ])
    expect(faultsOf(await post({ file_uuid: 'x' }))).toEqual([400, '0 InvalidFormat params.file_uuid'])
    expect(faultsOf(await post({ file_name: 'a' }))).toEqual([400, '0 FieldMissing params.file_uuid'])
    expect(await traces(ctx)).toEqual(before)
  })
})
