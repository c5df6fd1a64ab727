import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { blobsIn, upload, uploadPicture } from '../../test/fixtures/files.ts'
import { bomb, heavy, picture } from '../../test/fixtures/pictures.ts'
import { world } from '../../test/world.ts'
import { previewTurns } from './previews.ts'

describe('A preview', () => {
  test.each(['jpeg', 'png', 'gif', 'webp'] as const)(
    'of a %s is created in two sizes, and served',
    async (format) => {
      const { admin, app, folder } = await world()
      const bytes = await picture(900, 450).toFormat(format).toBuffer()
      // Uploaded in parts, and recognised by its bytes.
      const file = await uploadPicture(admin.browser, bytes, { file_name: 'x.bin' }, 1_000)
      const link = expect.stringMatching(
        /^http:\/\/demo\.localhost:8080\/drive\/download\/.*\/preview\.webp$/,
      )
      expect(file.previews).toEqual([
        { download_link: link, width: 200, height: 100 },
        { download_link: link, width: 600, height: 300 },
      ])
      for (const { download_link, width, height } of file.previews) {
        const served = await app.http.inject({
          url: new URL(download_link).pathname,
          headers: { host: 'demo.localhost:8080' },
        })
        expect([served.statusCode, served.headers['content-type']]).toEqual([200, 'image/webp'])
        expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: 'webp', width, height })
      }
      expect(blobsIn(folder).filter((name) => name.includes('preview')).length).toBe(2)
    },
  )

  test('is not larger than the picture, and has its display orientation', async () => {
    const { admin } = await world()
    const turned = await picture(100, 50).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const file = await uploadPicture(admin.browser, turned)
    const sizes = file.previews.map(({ width, height }: { width: number; height: number }) => [width, height])
    expect(sizes).toEqual([
      [50, 100],
      [50, 100],
    ])
  })

  test('belongs to its version', async () => {
    const { admin } = await world()
    const first = await uploadPicture(admin.browser, await picture(10, 10).png().toBuffer())
    const second = await upload(admin.browser, 'text', { file_uuid: first.uuid, with_preview: true })
    expect([first.previews.length, second.previews]).toEqual([2, null])
    const at = `/web/drive/v1.0/files/${first.uuid}`
    const { versions } = (await admin.browser.get(`${at}/versions`)).body._embedded
    expect(versions.map((version: { previews: unknown }) => version.previews)).toEqual([first.previews, null])
    const back = await admin.browser.patch(at, { version_uuid: first.version_uuid })
    expect(back.body.previews).toEqual(first.previews)
  })

  test('is added later if earlier pictures take long: the upload does not wait for them', async () => {
    const { admin } = await world()
    const gate = Promise.withResolvers<void>()
    const before = previewTurns.take('another account', () => gate.promise)
    const bytes = await picture(300, 300).png().toBuffer()
    const file = await upload(admin.browser, bytes, { file_name: 'a.png', with_preview: true })
    expect(file.previews).toBe(null)
    gate.resolve()
    await before
    const shown = async () => (await admin.browser.get(`/web/drive/v1.0/files/${file.uuid}`)).body
    await expect.poll(async () => (await shown()).previews?.length).toBe(2)
    const { versions } = (await admin.browser.get(`/web/drive/v1.0/files/${file.uuid}/versions`)).body
      ._embedded
    expect(versions[0].previews).toEqual((await shown()).previews)
  })

  test('is created only on request, and only of a complete picture; other uploads still become files', async () => {
    const { admin, folder } = await world()
    const png = await picture(900, 450).png().toBuffer()
    const wrong: [string, Buffer][] = [
      ['text', Buffer.from('hello')],
      ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"></svg>')],
      ['tiff', await picture(9, 4).tiff().toBuffer()],
      ['cut short', png.subarray(0, png.length / 2)],
      ['a head alone', Buffer.from('\xff\xd8\xff', 'latin1')],
      ['one byte', Buffer.from('x')],
      ['one column of 20,001 rows', await picture(1, 20_001).png().toBuffer()],
      ['a bomb of 8,000 by 8,000 pixels', await bomb()],
      ['interlaced pixels of 8 bytes, 208 MB', await heavy()],
      ['coefficients of 202 MB', await picture(7_000, 4_800).jpeg({ progressive: true }).toBuffer()],
    ]
    for (const [what, bytes] of wrong) {
      const file = await upload(admin.browser, bytes, { file_name: 'a.png', with_preview: true })
      expect([what, file.previews, file.type, file.size]).toEqual([what, null, 'image', bytes.length])
    }
    expect((await upload(admin.browser, png, { file_name: 'a.png' })).previews).toBe(null)
    expect((await upload(admin.browser, png, { file_name: 'a.png', with_preview: false })).previews).toBe(
      null,
    )
    expect(blobsIn(folder).filter((name) => name.includes('preview'))).toEqual([])
  })
})
