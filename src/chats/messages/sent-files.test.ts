import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { faultsOf } from '../../../test/faults.ts'
import { line } from '../../../test/fixtures/conversations.ts'
import { upload, uploadPicture } from '../../../test/fixtures/files.ts'
import { type World, world } from '../../../test/world.ts'

const png = () =>
  sharp({ create: { width: 900, height: 450, channels: 3, background: '#36f' } })
    .png()
    .toBuffer()

async function chat(draft: object = {}) {
  const all = await world()
  const open = await line(all, draft)
  const id = await open.write('ann')
  return { ...all, open, path: `/web/v4/chats/${id}/messages` }
}

/** As a provider's server fetches: at the address in the link, with nothing in its hands. */
async function fetched({ app }: Pick<World, 'app'>, link: string) {
  const { host, pathname } = new URL(link)
  const answer = await app.http.inject({ url: pathname, headers: { host } })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

const LINK = /^http:\/\/localhost:8080\/drive\/download\//

describe('A picture', () => {
  test('is sent with its text, a link and a link to its preview', async () => {
    const all = await chat()
    const bytes = await png()
    const file = await uploadPicture(all.admin.browser, bytes, { file_name: 'roof é.png' })
    const sent = await all.admin.browser.post(all.path, { text: 'Look', file_uuid: file.uuid.toUpperCase() })
    expect(sent.status).toBe(200)
    await all.app.deliveries.runDue()
    const body = all.open.there.received[0]?.body as string
    const { media, thumbnail } = JSON.parse(body)
    expect(body).toBe(
      `{"receiver":"s-ann","conversation_id":"c-ann","type":"picture","text":"Look","media":"${media}","thumbnail":"${thumbnail}"}`,
    )
    expect([media, thumbnail]).toEqual([expect.stringMatching(LINK), expect.stringMatching(LINK)])
    const whole = await fetched(all, media)
    expect([whole.status, whole.headers['content-type']]).toEqual([200, 'image/png'])
    expect(whole.bytes.equals(bytes)).toBe(true)
    const small = await fetched(all, thumbnail)
    expect([small.status, small.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(await sharp(small.bytes).metadata()).toMatchObject({ width: 600, height: 300 })
  })

  test('without a preview is its own thumbnail, and its text may be empty', async () => {
    const all = await chat()
    const file = await upload(all.admin.browser, await png(), { file_name: 'roof.png' })
    const sent = await all.admin.browser.post(all.path, { file_uuid: file.uuid })
    expect([sent.status, sent.body.type, sent.body.text]).toEqual([200, 'picture', ''])
    await all.app.deliveries.runDue()
    const { media, thumbnail, text } = JSON.parse(all.open.there.received[0]?.body as string)
    expect([thumbnail, text]).toEqual([media, ''])
  })

  test('is shown in the inbox with links of the same address and day', async () => {
    const all = await chat()
    const bytes = await png()
    const file = await uploadPicture(all.admin.browser, bytes, { file_name: 'roof.png' })
    await all.admin.browser.post(all.path, { file_uuid: file.uuid })
    all.clock.advance(200 * 86_400)
    const browser = await all.signIn(all.admin)
    const [message] = (await browser.get(all.path)).body._embedded.messages
    expect(message.media).toMatch(/^http:\/\/demo\.localhost:8080\/drive\/download\/.*\/roof\.png$/)
    const shown = await fetched(all, message.media)
    expect([shown.status, shown.bytes.equals(bytes)]).toEqual([200, true])
    expect((await fetched(all, message.thumbnail)).headers['content-type']).toBe('image/webp')
  })
})

describe('A file', () => {
  test('is sent with its name and size', async () => {
    const all = await chat()
    const file = await upload(all.admin.browser, 'a,b', { file_name: 'Список "1".csv' })
    await all.admin.browser.post(all.path, { text: 'Here', file_uuid: file.uuid })
    await all.app.deliveries.runDue()
    const body = all.open.there.received[0]?.body as string
    const { media } = JSON.parse(body)
    expect(body).toBe(
      `{"receiver":"s-ann","conversation_id":"c-ann","type":"file","text":"Here","media":"${media}",` +
        '"file_name":"Список \\"1\\".csv","file_size":3}',
    )
    expect(String((await fetched(all, media)).bytes)).toBe('a,b')
  })

  test('in the live protocol has every member', async () => {
    const all = await chat({ protocol: 'live' })
    const file = await upload(all.admin.browser, 'a,b', { file_name: 'a.csv' })
    await all.admin.browser.post(all.path, { file_uuid: file.uuid })
    await all.app.deliveries.runDue()
    const body = all.open.there.received[0]?.body as string
    expect(body).toBe(
      `{"receiver":"s-ann","conversation_id":"c-ann","msec_timestamp":${all.ctx.clock()},"type":"file","text":"",` +
        `"media":"${JSON.parse(body).media}","thumbnail":"","file_name":"a.csv","file_size":3}`,
    )
  })

  test('can be downloaded for three months in the version that was sent, unless it is in the trash', async () => {
    const all = await chat()
    const file = await upload(all.admin.browser, 'first', { file_name: 'a.txt' })
    await all.admin.browser.post(all.path, { file_uuid: file.uuid })
    await all.app.deliveries.runDue()
    const { media } = JSON.parse(all.open.there.received[0]?.body as string)
    await upload(all.admin.browser, 'second', { file_uuid: file.uuid })
    all.clock.advance(29 * 86_400)
    expect(String((await fetched(all, media)).bytes)).toBe('first')
    all.clock.advance(61 * 86_400)
    expect((await fetched(all, media)).status).toBe(200)
    all.clock.advance(2 * 86_400)
    expect((await fetched(all, media)).status).toBe(404)
  })

  test('in the trash cannot be downloaded by the link that was sent', async () => {
    const all = await chat()
    const file = await upload(all.admin.browser, 'first', { file_name: 'a.txt' })
    await all.admin.browser.post(all.path, { file_uuid: file.uuid })
    await all.app.deliveries.runDue()
    const { media } = JSON.parse(all.open.there.received[0]?.body as string)
    const gone = await all.admin.browser.delete('/web/drive/v1.0/files', [{ uuid: file.uuid }])
    expect(gone.status).toBe(204)
    expect((await fetched(all, media)).status).toBe(404)
    const forged = media.replace(/\/\d{10}\//, '/9999999999/')
    expect(forged).not.toBe(media)
    expect((await fetched(all, forged)).status).toBe(404)
  })

  test('must exist in this account', async () => {
    const all = await chat()
    const other = await all.addAccount('other')
    const stranger = await all.addPerson({ account: other, is_admin: true })
    const theirs = await upload(stranger.browser, 'x', {})
    const gone = await upload(all.admin.browser, 'x', {})
    await all.admin.browser.delete('/web/drive/v1.0/files', [{ uuid: gone.uuid }])
    for (const file_uuid of [theirs.uuid, gone.uuid, '00000000-0000-4000-8000-000000000000'])
      expect(faultsOf(await all.admin.browser.post(all.path, { file_uuid, request_id: 7 }))).toEqual([
        400,
        '7 NotSupportedChoice file_uuid',
      ])
    expect((await all.admin.browser.get(all.path)).body._embedded.messages.length).toBe(1)
  })
})
