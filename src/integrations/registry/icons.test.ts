import { describe, expect, test } from 'vitest'
import { register } from '../../../test/fixtures/integrations.ts'
import { bomb, picture } from '../../../test/fixtures/pictures.ts'
import { world } from '../../../test/world.ts'

describe('An icon has 400x272 pixels and is jpeg, png or gif', () => {
  test.each(['jpeg', 'png', 'gif'] as const)(
    '%s of that size is accepted and served with nosniff',
    async (format) => {
      const { admin, stranger, app } = await world()
      const { client_id } = await register(admin)
      const bytes = await picture(400, 272).toFormat(format).toBuffer()
      // The file name is ignored.
      const set = await admin.browser.put(`/web/integrations/${client_id}/icon`, bytes, {
        'content-type': 'image/png',
      })
      expect(set.status).toBe(200)
      const { icon_url } = set.body
      expect(icon_url).toMatch(/^\/icons\/[\da-f-]{36}$/)
      expect(icon_url).not.toContain(client_id)
      const served = await app.http.inject({
        url: icon_url,
        headers: { host: stranger.identity.host },
      })
      expect(served.headers).toMatchObject({
        'content-type': `image/${format}`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      expect(served.rawPayload.equals(bytes)).toBe(true)
      expect((await admin.browser.delete(`/web/integrations/${client_id}/icon`)).body.icon_url).toBe(null)
      expect((await stranger.get(icon_url)).status).toBe(404)
    },
  )

  test('everything else is refused, and the previous icon stays', async () => {
    const { admin, app } = await world()
    const { client_id } = await register(admin)
    const at = `/web/integrations/${client_id}/icon`
    const right = await picture(400, 272).png().toBuffer()
    const { icon_url } = (await admin.browser.put(at, right, { 'content-type': 'image/png' })).body
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="272"><script>alert(1)</script></svg>',
    )
    const wrong: [string, Buffer][] = [
      ['too wide', await picture(401, 272).png().toBuffer()],
      ['too high', await picture(400, 273).gif().toBuffer()],
      ['turned', await picture(272, 400).jpeg().toBuffer()],
      ['webp', await picture(400, 272).webp().toBuffer()],
      ['svg', svg],
      ['text', Buffer.from('hello')],
      ['nothing', Buffer.alloc(0)],
      ['cut short', right.subarray(0, right.length / 2)],
      ['a decompression bomb of 8,000 by 8,000 pixels', await bomb()],
    ]
    for (const [what, bytes] of wrong) {
      const answer = await admin.browser.put(at, bytes, { 'content-type': 'image/png' })
      expect(answer.status, what).toBe(400)
    }
    const large = await admin.browser.put(at, Buffer.alloc(512 * 1024 + 1), { 'content-type': 'image/png' })
    expect(large.status).toBe(413)
    const served = await app.http.inject({ url: icon_url, headers: { host: 'localhost' } })
    expect(served.rawPayload.equals(right)).toBe(true)
  })

  test('an SVG is refused before it is drawn, which its filters would make a minute of work', async () => {
    const { admin } = await world()
    const { client_id } = await register(admin)
    const noise = '<filter id="f"><feTurbulence baseFrequency="0.5" numOctaves="9"/></filter>'
    const shapes = '<rect width="400" height="272" filter="url(#f)"/>'.repeat(200)
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="272">${noise}${shapes}</svg>`
    const began = performance.now()
    const answer = await admin.browser.put(`/web/integrations/${client_id}/icon`, Buffer.from(svg), {
      'content-type': 'image/svg+xml',
    })
    expect(performance.now() - began).toBeLessThan(5_000)
    const [{ errors }] = answer.body['validation-errors']
    expect([answer.status, errors[0].detail]).toEqual([400, 'The icon must be jpeg, png or gif.'])
  })
})
