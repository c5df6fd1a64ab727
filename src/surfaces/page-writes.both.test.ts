import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { register } from '../../test/fixtures/integrations.ts'
import { mainPipeline } from '../../test/fixtures/pipelines.ts'
import { receiver } from '../../test/programs/receiver.ts'
import { world } from '../../test/world.ts'

const key = (text: string) => ({ 'idempotency-key': text })

describe('A write of pages that lost its response', () => {
  test('adds one view, form, integration, channel and token, and its keys are sealed until it is sent again', async () => {
    const all = await world()
    const { browser } = all.admin
    const { client_id } = await register(all.admin)
    const tokens = `/web/installations/${client_id}/long-lived-tokens`
    const fields = [{ key: 'name', is_required: true }]
    const drafts: [path: string, body: object, secret: (body: never) => string | undefined][] = [
      ['/web/views', { page: 'leads', name: 'Large', search: 'a=1' }, () => undefined],
      ['/web/forms', { name: 'Ask', pipeline_id: (await mainPipeline(all)).id, fields }, () => undefined],
      [
        '/web/integrations',
        { name: 'Roof', redirect_uri: 'https://roof.example/' },
        (body: { keys: { client_secret: string } }) => body.keys.client_secret,
      ],
      [
        '/web/channels',
        { name: 'Line', callback_url: 'https://line.example/' },
        (body: { keys: { secret: string } }) => body.keys.secret,
      ],
      ['/web/webhooks', { destination: 'https://hook.example/', settings: ['add_lead'] }, () => undefined],
      [tokens, { name: 'Job', days: 3 }, (body: { access_token: string }) => body.access_token],
    ]
    for (const [path, body, secretOf] of drafts) {
      const first = await browser.post(path, body, key(path))
      const again = await browser.post(path, body, key(path))
      expect([path, first.status < 300, again.headers['idempotency-replayed']]).toEqual([path, true, 'true'])
      expect([again.status, again.body]).toEqual([first.status, first.body])
      const secret = secretOf(first.body as never)
      const row = await all.ctx.db
        .selectFrom('idempotency_keys')
        .selectAll()
        .where('key', '=', path)
        .executeTakeFirstOrThrow()
      expect([path, row.answer === null]).toEqual([path, secret !== undefined])
      if (secret !== undefined) expect(String(row.sealed_answer)).not.toContain(secret)
    }
    const [views, forms, integrations, channels, installations] = await Promise.all(
      ['views', 'forms', 'integrations', 'channels', 'installations'].map(
        async (name) => (await browser.get(`/web/${name}`)).body[name],
      ),
    )
    const named = (rows: { name: string }[]) => rows.map(({ name }) => name)
    expect([views, forms, channels].map(named)).toEqual([['Large'], ['Ask'], ['Line']])
    expect(named(integrations).toSorted()).toEqual(['Roof', 'Shop'])
    const grants = installations.flatMap((one: { grants: { long_lived: string | null }[] }) => one.grants)
    expect(grants.map(({ long_lived }: { long_lived: string | null }) => long_lived)).toEqual(['Job'])
  })

  test('tells a widget once, after the commit', async () => {
    const { admin, ctx } = await world()
    const site = await receiver()
    const found: unknown[] = []
    site.answer = async (_request, response) => {
      const { length } = await ctx.db.selectFrom('integrations').select('name').execute()
      found.push(length)
      response.end()
    }
    const sent = vi.spyOn(ctx.outbound, 'request')
    onTestFinished(() => sent.mockRestore())
    const draft = { name: 'Roof', redirect_uri: `${site.url}/oauth`, has_widget: true }
    for (const _ of [1, 2])
      expect((await admin.browser.post('/web/integrations', draft, key('a'))).status).toBe(201)
    const outcomes = await Promise.all(sent.mock.results.map(({ value }) => value))
    expect([outcomes.length, found]).toEqual([1, [1]])
  })
})
