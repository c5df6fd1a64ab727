import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { provider, signatureOf } from '../../../test/fixtures/chats.ts'
import { line, textOf } from '../../../test/fixtures/conversations.ts'
import { world } from '../../../test/world.ts'

/** A chat whose provider receives, and whose channel can be rotated. */
async function shop() {
  const all = await world()
  const open = await line(all)
  const chat = await open.write('ann')
  const at = `/web/channels/${open.channel.id}`
  const rotate = async (body?: object): Promise<string> => {
    const browser = await all.signIn(all.admin)
    const answer = await browser.post(`${at}/secret`, body)
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.body.secret
  }
  const push = (secret: string) =>
    provider(all, { secret }).call('POST', `/${open.scope_id}`, {
      event_type: 'new_message',
      payload: textOf(all, 'ann'),
    })
  /** With which of the secrets the next callback is signed. */
  const signedWith = async (...secrets: string[]): Promise<number[]> => {
    const browser = await all.signIn(all.admin)
    const answer = await browser.post(`/web/v4/chats/${chat}/messages`, { text: 'Hi' })
    if (answer.status !== 200) throw new Error(answer.text)
    await all.app.deliveries.runDue()
    const { headers, body } = open.there.received.at(-1) as (typeof open.there.received)[0]
    expect(body).toContain('Hi')
    return secrets.flatMap((secret, i) => (headers['x-signature'] === signatureOf(secret, body) ? [i] : []))
  }
  const shown = async () => (await (await all.signIn(all.admin)).get(at)).body
  return { ...all, ...open, at, rotate, pushed: push, signedWith, shown }
}

describe('A rotated secret (C1)', () => {
  test('is valid beside the old one for a day: callbacks use the old one until the provider uses the new one', async () => {
    const { channel, rotate, pushed, signedWith, clock, shown } = await shop()
    const old = channel.secret
    const fresh = await rotate()
    expect(fresh).toMatch(/^[0-9a-f]{80}$/)
    expect(fresh).not.toBe(old)
    expect((await shown()).previous_secret_until).toBe(clock.now() + 86_400)
    expect(await signedWith(old, fresh)).toEqual([0])
    expect((await pushed(old)).status).toBe(200)
    expect(await signedWith(old, fresh)).toEqual([0])
    expect((await pushed(fresh)).status).toBe(200)
    expect(await signedWith(old, fresh)).toEqual([1])
    // A worker of the provider's that is not restarted yet.
    expect((await pushed(old)).status).toBe(200)
    expect(await signedWith(old, fresh)).toEqual([1])

    clock.advance(86_399)
    expect((await pushed(old)).status).toBe(200)
    clock.advance(1)
    expect([(await pushed(old)).status, (await pushed(fresh)).status]).toEqual([403, 200])
    expect((await shown()).previous_secret_until).toBe(null)
  })

  onEmbedded('signs callbacks when the overlap ends, whether the provider knows it or not', async () => {
    const { channel, rotate, pushed, signedWith, clock } = await shop()
    const fresh = await rotate({ overlap_seconds: 600 })
    expect(await signedWith(channel.secret, fresh)).toEqual([0])
    clock.advance(600)
    expect(await signedWith(channel.secret, fresh)).toEqual([1])
    expect((await pushed(channel.secret)).status).toBe(403)
  })

  onEmbedded('replaces a leaked one at once', async () => {
    const { channel, rotate, pushed, signedWith, shown } = await shop()
    const fresh = await rotate({ overlap_seconds: 0 })
    expect([(await pushed(channel.secret)).status, (await pushed(fresh)).status]).toEqual([403, 200])
    expect(await signedWith(channel.secret, fresh)).toEqual([1])
    expect((await shown()).previous_secret_until).toBe(null)
  })

  onEmbedded('that is rotated again keeps the last one that the provider used', async () => {
    const { channel, rotate, pushed, signedWith } = await shop()
    const lost = await rotate()
    const second = await rotate()
    // Nobody has signed with the one between: it goes, and the provider is not shut out.
    const statuses = async (...secrets: string[]) =>
      Promise.all(secrets.map(async (secret) => (await pushed(secret)).status))
    expect(await statuses(lost)).toEqual([403])
    expect(await signedWith(channel.secret, lost, second)).toEqual([0])
    expect(await statuses(channel.secret, second)).toEqual([200, 200])
    const third = await rotate()
    expect(await statuses(channel.secret, second, third)).toEqual([403, 200, 200])
  })

  onEmbedded('signs a pending message if it is valid at the next attempt', async () => {
    const { channel, rotate, app, there, clock, admin, scope_id, signIn } = await shop()
    const chats = await admin.browser.get('/web/v4/chats')
    const [{ id }] = chats.body._embedded.chats
    there.answer = (_request, response) => {
      response.statusCode = 500
      response.end()
    }
    await admin.browser.post(`/web/v4/chats/${id}/messages`, { text: 'Wait' })
    await app.deliveries.runDue()
    const fresh = await rotate({ overlap_seconds: 0 })
    const browser = await signIn(admin)
    const url = `${there.url}/elsewhere?of=:scope_id`
    expect((await browser.patch(`/web/channels/${channel.id}`, { callback_url: url })).status).toBe(200)
    there.answer = (_request, response) => response.end()
    clock.advance(10)
    await app.deliveries.runDue()
    const [first, second] = there.received
    expect(second?.body).toBe(first?.body)
    expect(first?.headers['x-signature']).toBe(signatureOf(channel.secret, first?.body ?? ''))
    expect(second?.headers['x-signature']).toBe(signatureOf(fresh, second?.body ?? ''))
    expect([first?.path, second?.path, second?.query]).toEqual(['/callback', '/elsewhere', { of: scope_id }])
  })

  test('cannot be read from the database', async () => {
    const { ctx, channel, rotate } = await shop()
    const fresh = await rotate()
    const [row] = await ctx.db.selectFrom('channels').selectAll().execute()
    const text = JSON.stringify(row) + String(row?.secret_sealed) + String(row?.previous_sealed)
    expect([text.includes(channel.secret), text.includes(fresh)]).toEqual([false, false])
  })
})
