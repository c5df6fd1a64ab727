import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { add, log, traces } from '../../test/fixtures/records.ts'
import { BEGINNING, type Person, type World, world } from '../../test/world.ts'

const BASE = 'http://demo.localhost:8080'
const kinds = [
  ['leads', 'lead'],
  ['contacts', 'contact'],
  ['companies', 'company'],
  ['customers', 'customer'],
] as const

const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** The path of a new survey about a record. */
async function survey({ admin }: World, type: string, id: number): Promise<string> {
  const { body } = await admin.browser.post(`/web/v4/${type}/${id}/surveys`)
  return body.url.slice(BASE.length)
}

const surveys = ({ ctx }: World) => ctx.db.selectFrom('surveys').select(['rate', 'rated_at']).execute()

const buttons = (html: string) =>
  [...html.matchAll(/<button name="rate" value="(\d+)"/g)].map(([, rate]) => rate)
const TEN = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']

describe('POST /{kind}/{id}/nps', () => {
  test.each(kinds)('%s: records a rating on the record, by the caller', async (type, singular) => {
    const { admin, ctx, account } = await world()
    const id = await add(admin.browser, type, { name: 'x' })
    const known = (await log(ctx)).length
    const answer = await admin.browser.post(`/web/v4/${type}/${id}/nps`, { rate: 10 })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        entity_id: id,
        entity_type: type,
        account_id: account.id,
        rate: 10,
        _links: { self: { href: `${BASE}/web/v4/${type}/${id}` } },
      },
    ])
    expect((await log(ctx)).slice(known)).toEqual([
      {
        type: 'nps_rate_added',
        entity: [singular, id],
        by: admin.id,
        before: [],
        after: [{ nps: { rate: 10 } }],
      },
    ])
  })

  onEmbedded.each<[string, unknown, string]>([
    ['none', {}, 'FieldMissing'],
    ['0', { rate: 0 }, 'OutOfRange'],
    ['11', { rate: 11 }, 'OutOfRange'],
    ['a half', { rate: 7.5 }, 'InvalidType'],
    ['text', { rate: '7' }, 'InvalidType'],
    ['null', { rate: null }, 'NotNullable'],
  ])('refuses a rating that is %s and stores nothing', async (_what, body, code) => {
    const { admin, ctx } = await world()
    const id = await add(admin.browser, 'leads')
    const before = await traces(ctx)
    const answer = await admin.browser.post(`/web/v4/leads/${id}/nps`, body)
    expect([answer.status, answer.body['validation-errors']]).toEqual([
      400,
      [{ request_id: '0', errors: [{ code, path: 'rate', detail: expect.any(String) }] }],
    ])
    expect(await traces(ctx)).toEqual(before)
  })
})

describe('POST /{kind}/{id}/surveys', () => {
  test.each(kinds)('%s: creates an address that cannot be guessed, on the account’s host', async (type) => {
    const { admin, account } = await world()
    const id = await add(admin.browser, type, { name: 'x' })
    const answer = await admin.browser.post(`/web/v4/${type}/${id}/surveys`)
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        url: expect.stringMatching(/^http:\/\/demo\.localhost:8080\/survey\/[A-Za-z0-9]{24}$/),
        entity_id: id,
        entity_type: type,
        account_id: account.id,
        created_at: BEGINNING,
        _links: { self: { href: `${BASE}/web/v4/${type}/${id}` } },
      },
    ])
  })

  onEmbedded(
    'requires, like ratings, the right to change the record; unknown ids are refused in the same way',
    async () => {
      const all = await world()
      const { admin, addPerson, addAccount, stranger } = all
      const id = await add(admin.browser, 'leads')
      const ann = await addPerson({
        rights: { leads: { view: 'A', edit: 'M', add: 'A', delete: 'D', export: 'D' } },
      })
      const bob = await addPerson({
        rights: { leads: { view: 'M', edit: 'M', add: 'A', delete: 'D', export: 'D' } },
      })
      const other = await addPerson({ account: await addAccount('other'), is_admin: true })
      const before = await traces(all.ctx)
      const ask = async ({ browser }: Pick<Person, 'browser'>, id: number) => [
        (await browser.post(`/web/v4/leads/${id}/surveys`)).status,
        (await browser.post(`/web/v4/leads/${id}/nps`, { rate: 5 })).status,
      ]
      expect([
        await ask({ browser: stranger }, id),
        await ask(ann, id),
        await ask(bob, id),
        await ask(bob, 999_999),
        await ask(other, id),
        await ask(admin, 999_999),
      ]).toEqual([
        [401, 401],
        [403, 403],
        [403, 403],
        [403, 403],
        [404, 404],
        [404, 404],
      ])
      expect([await traces(all.ctx), await surveys(all)]).toEqual([before, []])
    },
  )
})

describe('/survey/{token}', () => {
  test('is a self-contained page with ten buttons, protected against framing and scripts', async () => {
    const all = await world()
    const path = await survey(all, 'leads', await add(all.admin.browser, 'leads'))
    const { status, headers, text } = await all.stranger.get(path)
    expect([status, headers['content-type'], buttons(text)]).toEqual([200, 'text/html; charset=utf-8', TEN])
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect([
      headers['x-frame-options'],
      headers['referrer-policy'],
      headers['cache-control'],
      headers['x-robots-tag'],
    ]).toEqual(['DENY', 'no-referrer', 'no-store', 'noindex, nofollow'])
    expect(text.replace('<link rel="icon" href="data:,">', '')).not.toMatch(/<script|<link|<img|\son[a-z]+=/)
    expect(text).toContain(
      '<legend><h1>How likely are you to recommend demo Ltd to friends or colleagues?</h1></legend>',
    )
    expect(text).toContain('<button name="rate" value="7" aria-label="7 of 10">7</button>')
  })

  test.each([
    ['en', 'Thank you!'],
    ['es', '¡Gracias!'],
    ['ru', 'Спасибо!'],
    ['pt', 'Obrigado!'],
  ])('is in the account’s language, %s, and escapes its name', async (language, thanks) => {
    const all = await world()
    await all.ctx.db
      .transaction()
      .execute((tx) =>
        tx
          .updateTable('accounts')
          .set({ language, name: '<b>"A" & B</b>' })
          .where('id', '=', all.account.id)
          .execute(),
      )
    const path = await survey(all, 'contacts', await add(all.admin.browser, 'contacts'))
    const { text } = await all.stranger.get(path)
    expect([
      text.includes(`<html lang="${language}">`),
      text.includes('&lt;b&gt;&quot;A&quot; &amp; B'),
    ]).toEqual([true, true])
    expect(text).not.toContain('<b>')
    expect((await all.stranger.post(path, 'rate=3', form)).text).toContain(`<h1>${thanks}</h1>`)
  })

  test.each(kinds)(
    '%s: records the first answer without an author; a second one gets thanks and changes nothing',
    async (type, singular) => {
      const all = await world()
      const id = await add(all.admin.browser, type, { name: 'x' })
      const path = await survey(all, type, id)
      const known = (await log(all.ctx)).length
      all.clock.advance(60)
      const first = await all.stranger.post(path, 'rate=9', form)
      const second = await all.stranger.post(path, 'rate=1', form)
      const third = await all.stranger.post(path, 'rate=nonsense', form)
      const again = await all.stranger.get(path)
      expect([first.status, second.status, third.status, again.status]).toEqual([200, 200, 200, 200])
      expect([first.text, second.text, third.text]).toEqual(Array(3).fill(again.text))
      expect(buttons(again.text)).toEqual([])
      expect((await log(all.ctx)).slice(known)).toEqual([
        { type: 'nps_rate_added', entity: [singular, id], by: 0, before: [], after: [{ nps: { rate: 9 } }] },
      ])
      expect(await surveys(all)).toEqual([{ rate: 9, rated_at: BEGINNING + 60 }])
    },
  )

  onEmbedded.each(['', 'rate=', 'rate=0', 'rate=11', 'rate=1e1', 'rate=5&rate=6', 'rate=%00', 'rates=5'])(
    'shows the form again for an answer without a rating (%s), and changes nothing',
    async (body) => {
      const all = await world()
      const path = await survey(all, 'leads', await add(all.admin.browser, 'leads'))
      const known = await log(all.ctx)
      const answer = await all.stranger.post(path, body, form)
      expect([answer.status, buttons(answer.text)]).toEqual([400, TEN])
      expect(answer.text).toContain('<p role="alert">Please choose a number from 1 to 10.</p>')
      expect([await log(all.ctx), await surveys(all)]).toEqual([known, [{ rate: null, rated_at: null }]])
    },
  )

  test('accepts only small forms', async () => {
    const all = await world()
    const path = await survey(all, 'leads', await add(all.admin.browser, 'leads'))
    const json = await all.stranger.post(path, { rate: 5 })
    const large = await all.stranger.post(path, `rate=5&x=${'x'.repeat(300)}`, form)
    expect([json.status, large.status]).toEqual([400, 413])
    expect(await surveys(all)).toEqual([{ rate: null, rated_at: null }])
  })

  test('records one of several concurrent answers', async () => {
    const all = await world()
    const id = await add(all.admin.browser, 'leads')
    const path = await survey(all, 'leads', id)
    const second = process.env.TEST_DATABASE === 'postgres' ? await all.secondProcess() : { app: all.app }
    const known = (await log(all.ctx)).length
    const { host } = all.stranger.identity
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map((rate) =>
        (rate % 2 ? all : second).app.http.inject({
          method: 'POST',
          url: path,
          headers: { host, ...form },
          payload: `rate=${rate}`,
        }),
      ),
    )
    const events = (await log(all.ctx)).slice(known)
    const [stored] = await surveys(all)
    expect(events.map(({ type, after }) => [type, after])).toEqual([
      ['nps_rate_added', [{ nps: { rate: stored?.rate } }]],
    ])
  })

  test('records nothing if the record is in the trash, and records a merged record’s answer on the remaining one', async () => {
    const all = await world()
    const { browser } = all.admin
    const [gone, merged, survivor] = [
      await add(browser, 'leads'),
      await add(browser, 'leads'),
      await add(browser, 'leads'),
    ]
    const [one, two] = [await survey(all, 'leads', gone), await survey(all, 'leads', merged)]
    await browser.delete(`/web/v4/leads/${gone}`)
    await browser.post('/web/v4/leads/merge', { id: survivor, merge: [merged] })
    const known = (await log(all.ctx)).length
    const answers = [
      await all.stranger.post(one, 'rate=5', form),
      await all.stranger.post(two, 'rate=6', form),
    ]
    expect([answers[0]?.status, answers[0]?.text]).toEqual([200, answers[1]?.text])
    expect((await log(all.ctx)).slice(known).map(({ entity, after }) => [entity, after])).toEqual([
      [['lead', survivor], [{ nps: { rate: 6 } }]],
    ])
  })

  test('shows a page for an unknown token, and for a survey of another account', async () => {
    const all = await world()
    await all.addAccount('other')
    const path = await survey(all, 'leads', await add(all.admin.browser, 'leads'))
    const foreign = all.stranger.as({ host: 'other.localhost:8080' })
    const answers = [
      await all.stranger.get('/survey/AAAAAAAAAAAAAAAAAAAAAAAA'),
      await all.stranger.post('/survey/x', 'rate=5', form),
      await foreign.get(path),
      await foreign.post(path, 'rate=5', form),
    ]
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(4).fill([404, answers[0]?.text]))
    expect(await surveys(all)).toEqual([{ rate: null, rated_at: null }])
  })

  onEmbedded('refuses further unknown tokens after a hundred, but no known one', async () => {
    const all = await world({ env: { RATE_LIMITS: 'on' } })
    const statuses: number[] = []
    for (let i = 0; i < 101; i++) statuses.push((await all.stranger.get(`/survey/${i}`)).status)
    expect([statuses.slice(0, 100).every((status) => status === 404), statuses[100]]).toEqual([true, 429])
    const path = await survey(all, 'leads', await add(all.admin.browser, 'leads'))
    expect((await all.stranger.get(path)).status).toBe(200)
  })
})
