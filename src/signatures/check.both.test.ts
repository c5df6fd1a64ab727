import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import {
  CHATS,
  channelOf,
  connected,
  send,
  signatureOf,
  signed,
  signedAnew,
} from '../../test/fixtures/chats.ts'
import { register } from '../../test/fixtures/integrations.ts'
import { receiver } from '../../test/programs/receiver.ts'
import { type World, world } from '../../test/world.ts'

const body = JSON.stringify({ event_type: 'new_message', payload: { text: 'Привет / <b>' } })

async function scene(options = {}) {
  const w = await world(options)
  const here = await connected(w, { protocol: 'live' })
  const path = `${CHATS}/${here.scope_id}`
  const check = (request: object, by = w.admin.browser) => by.post('/web/signatures/check', request)
  const ask = async (headers: Record<string, string>, more: object = {}) =>
    (await check({ url: path, headers, body, ...more })).body
  return { w, here, path, check, ask, secret: here.channel.secret }
}

const idsOf = ({ mistakes }: { mistakes: { id: string }[] }) => mistakes.map(({ id }) => id)

const helper = (w: World, request: object, key = w.ctx.testHelpersKey ?? '') =>
  send(w, 'POST', '/test_helpers/signatures/check', JSON.stringify(request), {
    'content-type': 'application/json',
    authorization: `Bearer ${key}`,
  })

describe('The check of a pasted signature', () => {
  test('holds for right signatures of both recipes, by the helpers too', async () => {
    const { w, ask, secret, path } = await scene()
    const date = new Date(w.ctx.clock())
    const newer = signedAnew(secret, { method: 'POST', path, body, date })
    expect(await ask(signed(secret, body))).toMatchObject({ holds: true, recipe: 'chat_body', mistakes: [] })
    expect(await ask(newer)).toMatchObject({ holds: true, recipe: 'chat_lines', difference: null })
    const { status, body: said } = await helper(w, { url: path, headers: signed(secret, body), body })
    expect([status, said.holds]).toEqual([200, true])
  })

  test('names the mistake, shows the text to sign and where the signed one differs', async () => {
    const { ask, secret, here } = await scene()
    const slashes = body.replaceAll('/', '\\/')
    const found = await ask(signed(secret, slashes))
    expect(found).toMatchObject({
      holds: false,
      recipe: 'chat_body',
      is_explained: true,
      expected: { text: body, size: Buffer.byteLength(body), is_cut: false },
      signed: { text: slashes },
      difference: { at: Buffer.from(body).indexOf('/') },
      owner: { kind: 'channel', id: here.channel.id, name: 'Messenger' },
    })
    expect(idsOf(found)).toEqual(['json_slashes'])
    expect(found.mistakes[0].sentence).toContain('Slashes are escaped')
    expect(found.samples.php).toContain('hash_hmac')
  })

  test('knows the secrets of the account: another channel, the previous one, an integration', async () => {
    const { w, ask, here, secret } = await scene()
    const other = await channelOf(w, { name: 'Second' })
    const found = await ask(signed(other.secret, body))
    expect([idsOf(found), found.mistakes[0].detail]).toEqual([['other_secret'], 'the channel Second'])
    const browser = await w.signIn(w.admin)
    await browser.post(`/web/channels/${here.channel.id}/secret`, { overlap_seconds: 60 })
    const asked = async () =>
      (await ask(signed(secret, body))) as { holds: boolean; mistakes: { id: string }[] }
    expect((await asked()).holds).toBe(true)
    w.clock.advance(61)
    expect(idsOf(await asked())).toEqual(['rotated_secret'])
    expect(idsOf(await ask(signed(here.channel.id, body)))).toEqual(['id_as_secret'])
  })

  onEmbedded('reports faults of the headers beside those of the signature', async () => {
    const { w, ask, secret, path } = await scene()
    const late = new Date(w.ctx.clock() - 2 * 3_600_000)
    const stale = signedAnew(secret, { method: 'POST', path: `${path}/`, body, date: late })
    const found = await ask(stale)
    expect(idsOf(found)).toEqual(['date_stale', 'path_trailing_slash'])
    expect(found.mistakes[0].detail).toBe('2 hours before the time of the server')
    const { 'content-md5': _, ...rest } = signedAnew(secret, {
      method: 'POST',
      path,
      body,
      date: new Date(w.ctx.clock()),
    })
    expect(idsOf(await ask(rest))).toEqual(['newer_recipe'])
    const base64 = {
      ...stale,
      date: new Date(w.ctx.clock()).toUTCString(),
      'content-md5': 'rL0Y20zC+Fzt72VPzMSk2A==',
    }
    expect(idsOf(await ask(base64))).toContain('digest_differs')
  })

  test('checks callbacks and webhooks', async () => {
    const { w, check, secret, here } = await scene()
    const callback = {
      url: 'https://provider.example/callback',
      body,
      headers: { 'x-signature': signatureOf(secret, body) },
    }
    expect((await check(callback)).body).toMatchObject({ holds: true, recipe: 'chat_body' })
    expect((await check({ ...callback, channel_id: here.channel.id })).body.holds).toBe(true)
    const added = await w.admin.browser.post('/web/v4/webhooks', {
      destination: 'http://127.0.0.1:3100/hook',
      settings: ['add_lead'],
    })
    const signing = await w.admin.browser.post(`/web/webhooks/${added.body.id}/secret`, undefined)
    expect(signing.status).toBeLessThan(300)
    const right = createHmac('sha256', signing.body.secret).update('a=1').digest('hex')
    const webhook = {
      webhook_id: added.body.id,
      url: '/hook',
      body: 'a=1',
      headers: { 'x-signature': right },
    }
    expect((await check(webhook)).body).toMatchObject({ holds: true, recipe: 'webhook' })
    const base64 = Buffer.from(right, 'hex').toString('base64')
    const wrong = (await check({ ...webhook, headers: { 'x-signature': base64 } })).body
    expect([wrong.recipe, idsOf(wrong)]).toEqual(['webhook', ['signature_base64']])
  })

  onEmbedded(
    'checks the disable hook as it was sent, and names the secret of another integration',
    async () => {
      const { w, check } = await scene()
      const site = await receiver()
      const shop = await register(w.admin, { disable_hook_url: `${site.url}/disabled?mine=1` })
      const other = await register(w.admin, { name: 'Other shop' })
      await w.admin.browser.post(`/web/installations/${shop.client_id}/disable`)
      await w.app.deliveries.runDue()
      const { path = '', query = {} as Record<string, string> } = site.received[0] ?? {}
      const asked = (change: object) =>
        check({ method: 'GET', url: `${path}?${new URLSearchParams({ ...query, ...change })}` })
      expect((await asked({})).body).toMatchObject({
        ...{ holds: true, recipe: 'disable_hook', mistakes: [] },
        owner: { kind: 'integration', id: shop.client_id },
      })
      const signed = createHmac('sha256', other.client_secret).update(`${shop.client_id}|${w.account.id}`)
      for (const [signature, mistake] of [
        [signed.digest('hex'), 'other_secret'],
        [String(query.signature).toUpperCase(), 'upper_hex'],
      ]) {
        const { holds, recipe, mistakes } = (await asked({ signature })).body
        expect([holds, recipe, idsOf({ mistakes })]).toEqual([false, 'disable_hook', [mistake]])
      }
      expect((await asked({ client_uuid: 'nobody' })).status).toBe(404)
    },
  )

  test('never answers with a secret or a right signature', async () => {
    const { ask, secret } = await scene()
    for (const headers of [signed(secret, `${body}\n`), signed('x', body), {}]) {
      const text = JSON.stringify(await ask(headers as Record<string, string>))
      expect(text).not.toContain(secret)
      expect(text).not.toContain(signatureOf(secret, body))
    }
  })
})

describe('The check refuses', () => {
  test('strangers, people without the right, and wrong keys', async () => {
    const { w, check, path } = await scene()
    const ann = await w.addPerson()
    const request = { url: path, headers: {}, body }
    expect((await check(request, w.stranger)).status).toBe(401)
    expect((await check(request, ann.browser)).status).toBe(403)
    expect((await helper(w, request, 'pbh_wrong')).status).toBe(401)
    expect((await helper(w, request)).status).toBe(200)
  })

  test('channels, webhooks and requests of another account', async () => {
    const { w, check, path } = await scene()
    const other = await w.addPerson({ account: await w.addAccount('other'), is_admin: true })
    const foreign = await channelOf(w, { by: other })
    const headers = { 'x-signature': 'a'.repeat(40) }
    const statuses = [
      await check({ url: path, headers, body, channel_id: foreign.id }),
      await check({ url: `${CHATS}/${foreign.id}`, headers, body }),
      await check({ url: '/hook', headers, body, webhook_id: 1 }),
      await check({ request: 999_999 }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([404, 404, 404, 404])
    expect((await check({ url: path, headers, body }, other.browser)).status).toBe(404)
  })

  onEmbedded('bad and huge input with the member that is wrong', async () => {
    const { check, path } = await scene()
    const faults = async (request: unknown) => {
      const answer = await check(request as object)
      const [list] = answer.body['validation-errors'] ?? [{ errors: [] }]
      return [answer.status, list.errors[0]?.path]
    }
    expect(await faults({})).toEqual([400, 'url'])
    expect(await faults({ url: path, headers: { a: 1 } })).toEqual([400, 'headers.a'])
    expect(await faults({ url: path, body: 'x'.repeat(262_145) })).toEqual([400, 'body'])
    expect(await faults({ url: path, body_base64: '%' })).toEqual([400, 'body_base64'])
    expect(await faults({ url: 'x'.repeat(8_193) })).toEqual([400, 'url'])
    expect((await check({ url: path, body: 'x'.repeat(3_000_000) })).status).toBe(413)
    const deep = '['.repeat(50_000)
    const hostile = await check({ url: path, headers: { 'x-signature': 'a'.repeat(40) }, body: deep })
    expect([hostile.status, hostile.body.holds]).toEqual([200, false])
  })

  onEmbedded('more than a few checks a second', async () => {
    const { check, path } = await scene({ env: { RATE_LIMITS: 'on' } })
    const statuses = new Set<number>()
    for (let i = 0; i < 21; i++) statuses.add((await check({ url: path, headers: {}, body: '' })).status)
    expect([...statuses]).toEqual([200, 429])
  })
})

describe('A refused signature in the request log', () => {
  const rows = async (w: World) =>
    (await w.admin.browser.get('/web/requests?refused=true')).body.requests as {
      id: number
      why: { rule: string }
    }[]

  test('has its mistake in a sentence, and the check of the row says the same', async () => {
    const { w, path, check, secret } = await scene()
    const python = body.replaceAll('":', '": ').replaceAll(',"', ', "')
    expect((await send(w, 'POST', path, body, signed(secret, python))).status).toBe(403)
    const [row] = await rows(w)
    expect(row?.why).toMatchObject({
      rule: expect.stringContaining('other white space'),
      signature: {
        recipe: 'chat_body',
        mistakes: [{ id: 'json_spacing', detail: null }],
        is_explained: true,
      },
    })
    const said = (await check({ request: row?.id })).body
    expect(said).toMatchObject({ holds: false, recipe: 'chat_body', expected: { text: body } })
    expect(idsOf(said)).toEqual(['json_spacing'])
    // With the whole signature, which the log does not keep, the row is checked again.
    const again = (await check({ request: row?.id, headers: signed(secret, python) })).body
    expect([idsOf(again), again.signed.text]).toEqual([['json_spacing'], python])
  })

  onEmbedded('holds for an accepted one, and refuses rows without a signature', async () => {
    const { w, here, check } = await scene()
    await here.call('POST', `/${here.channel.id}/connect`, { account_id: w.account.amojo_id })
    const { requests } = (await w.admin.browser.get('/web/requests?status=200')).body
    expect((await check({ request: requests[0].id })).body).toMatchObject({ holds: true, mistakes: [] })
    await send(w, 'GET', '/api/v4/account', undefined, {})
    const [row] = await rows(w)
    expect((await check({ request: row?.id })).status).toBe(400)
  })

  onEmbedded('is explained a few times a minute for each channel', async () => {
    const { w, path, secret } = await scene({ env: { RATE_LIMITS: 'on' } })
    for (let i = 0; i < 8; i++) await send(w, 'POST', path, body, signed(`${secret}\n`, body))
    const why = (await rows(w)).map(({ why: { rule } }) => rule)
    expect(why.filter((rule) => rule.includes('white space'))).toHaveLength(5)
    expect(why).toHaveLength(8)
  })
})
