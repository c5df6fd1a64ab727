import sharp from 'sharp'
import { expect, test } from 'vitest'
import { faultsOf } from '../../../test/faults.ts'
import { line } from '../../../test/fixtures/conversations.ts'
import { upload, uploadPicture } from '../../../test/fixtures/files.ts'
import { chatTraces } from '../../../test/fixtures/pushes.ts'
import { world } from '../../../test/world.ts'

async function talking() {
  const all = await world()
  const open = await line(all)
  const chat = `/web/v4/chats/${await open.write('ann')}`
  const { talk_id } = (await all.admin.browser.get(chat)).body
  const send = (body: object) => all.admin.browser.post(`/web/v4/talks/${talk_id}/send_message`, body)
  /** The body that the provider receives for the last message. */
  const received = async () => {
    await all.app.deliveries.runDue()
    return JSON.parse(open.there.received.at(-1)?.body as string)
  }
  const fetched = async (link: string) => {
    const { host, pathname } = new URL(link)
    return (await all.app.http.inject({ url: pathname, headers: { host } })).rawPayload
  }
  const messages = async () =>
    (await all.admin.browser.get(`/web/v4/talks/${talk_id}/messages`)).body._embedded.messages
  return { ...all, open, send, received, fetched, messages }
}

const png = () =>
  sharp({ create: { width: 30, height: 20, channels: 3, background: '#36f' } })
    .png()
    .toBuffer()

test('a picture is sent in a talk, with and without a text', async () => {
  const all = await talking()
  const bytes = await png()
  const { uuid, version_uuid } = await upload(all.admin.browser, bytes, { file_name: 'roof.png' })
  const attachment = { type: 'picture', drive_uuid: uuid, drive_version_uuid: version_uuid }
  const { status, body } = await all.send({ text: 'Look', attachment })
  expect([status, Object.keys(body)]).toEqual([202, ['id']])
  const callback = await all.received()
  expect(callback).toMatchObject({ type: 'picture', text: 'Look', thumbnail: callback.media })
  expect((await all.fetched(callback.media)).equals(bytes)).toBe(true)
  for (const text of [undefined, '']) {
    expect((await all.send({ text, attachment })).status).toBe(202)
    expect(await all.received()).toMatchObject({ type: 'picture', text: '' })
  }
  const shown = await all.messages()
  expect(shown[2]).toMatchObject({
    id: body.id,
    message_type: 'picture',
    text: 'Look',
    attachment: { type: 'picture', file_name: 'roof.png' },
  })
})

test('the type decides how an image is sent', async () => {
  const all = await talking()
  const { uuid } = await uploadPicture(all.admin.browser, await png(), { file_name: 'roof.png' })
  expect((await all.send({ attachment: { type: 'file', drive_uuid: uuid.toUpperCase() } })).status).toBe(202)
  const callback = await all.received()
  expect(callback).toMatchObject({ type: 'file', file_name: 'roof.png' })
  expect(callback.thumbnail).toBeUndefined()
})

test('the named version is sent, by default the active one', async () => {
  const all = await talking()
  const first = await upload(all.admin.browser, 'first', { file_name: 'old.txt' })
  const { uuid } = first
  await upload(all.admin.browser, 'the second', { file_uuid: uuid, file_name: 'new.csv' })
  const attachment = { type: 'file', drive_uuid: uuid }
  const sent = async (more: object) => {
    expect((await all.send({ attachment: { ...attachment, ...more } })).status).toBe(202)
    const { file_name, file_size, media } = await all.received()
    return [file_name, file_size, String(await all.fetched(media))]
  }
  expect(await sent({ drive_version_uuid: first.version_uuid.toUpperCase() })).toEqual([
    'old.txt',
    5,
    'first',
  ])
  expect(await sent({})).toEqual(['old.csv', 10, 'the second'])
})

test('an attachment that cannot be sent is refused by name, and leaves nothing', async () => {
  const all = await talking()
  const other = await all.addAccount('other')
  const stranger = await all.addPerson({ account: other, is_admin: true })
  const theirs = await upload(stranger.browser, 'x')
  const gone = await upload(all.admin.browser, 'x')
  await all.admin.browser.delete('/web/drive/v1.0/files', [{ uuid: gone.uuid }])
  const ours = await upload(all.admin.browser, 'x', { file_name: 'a.txt' })
  const second = await upload(all.admin.browser, 'y')
  const [type, drive_uuid] = ['file', ours.uuid]
  const nowhere = '00000000-0000-4000-8000-000000000000'
  const before = await chatTraces(all.ctx)
  const cases: [attachment: unknown, fault: string][] = [
    [{ type, drive_uuid: nowhere }, 'NotSupportedChoice attachment.drive_uuid'],
    [{ type, drive_uuid: theirs.uuid }, 'NotSupportedChoice attachment.drive_uuid'],
    [{ type, drive_uuid: gone.uuid }, 'NotSupportedChoice attachment.drive_uuid'],
    [{ type, drive_uuid: 'x' }, 'InvalidFormat attachment.drive_uuid'],
    [{ type }, 'FieldMissing attachment.drive_uuid'],
    [{ type, drive_uuid, drive_version_uuid: nowhere }, 'NotSupportedChoice attachment.drive_version_uuid'],
    [
      { type, drive_uuid, drive_version_uuid: second.version_uuid },
      'NotSupportedChoice attachment.drive_version_uuid',
    ],
    [{ type, drive_uuid, drive_version_uuid: 5 }, 'InvalidType attachment.drive_version_uuid'],
    [{ drive_uuid }, 'FieldMissing attachment.type'],
    [{ type: 'voice', drive_uuid }, 'NotSupportedChoice attachment.type'],
    [{ type: 'picture', drive_uuid }, 'NotSupportedChoice attachment.type'],
    ['x', 'InvalidType attachment'],
  ]
  for (const [attachment, fault] of cases) {
    const answer = await all.send({ text: 'Look', attachment })
    expect([attachment, ...faultsOf(answer)]).toEqual([attachment, 400, `0 ${fault}`])
  }
  const { body } = await all.send({ attachment: { type: 'picture', drive_uuid } })
  expect(body['validation-errors'][0].errors[0].detail).toContain('text/plain')
  expect(faultsOf(await all.send({}))).toEqual([400, '0 NotBlank text'])
  expect(await chatTraces(all.ctx)).toEqual(before)
})
