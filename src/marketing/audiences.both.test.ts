import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { add, log, traces } from '../../test/fixtures/records.ts'
import { BEGINNING, type Person, type World, world } from '../../test/world.ts'

const BASE = 'http://demo.localhost:8080/web/v4'
const NO_AUDIENCE = 'There is no such audience.'
const leadsOf = (edit: 'A' | 'M') => ({ view: edit, edit, add: 'A', delete: 'D', export: 'D' }) as const

async function audience({ browser }: Person, name = 'Spring', service = 'adverts'): Promise<number> {
  const answer = await browser.post('/web/v4/audiences', [{ name, service }])
  return answer.body._embedded.audiences[0].id
}

const rows = async ({ ctx }: World) => [
  await ctx.db.selectFrom('audiences').selectAll().orderBy('id').execute(),
  await ctx.db.selectFrom('audience_members').selectAll().orderBy('entity_id').execute(),
]

/** The notes about audiences, each with its record. */
async function notes({ ctx }: World) {
  const found = await ctx.db
    .selectFrom('notes')
    .select(['id', 'note_type', 'entity_type', 'entity_id', 'params', 'created_by'])
    .where('note_type', 'in', ['targeting_in', 'targeting_out'])
    .orderBy('id')
    .execute()
  return found.map((note) => ({ ...note, params: JSON.parse(note.params) }))
}

describe('Audiences', () => {
  test('are created, listed, renamed and deleted by administrators', async () => {
    const { admin, account } = await world()
    const { browser } = admin
    const made = await browser.post('/web/v4/audiences', [
      { name: 'Spring', service: 'adverts', request_id: 'a' },
      { name: 'Summer', service: 'adverts' },
    ])
    const [spring, summer] = made.body._embedded.audiences.map(({ id }: { id: number }) => id)
    const shown = (id: number, name: string) => ({
      id,
      name,
      service: 'adverts',
      created_by: admin.id,
      created_at: BEGINNING,
      account_id: account.id,
      _links: { self: { href: `${BASE}/audiences/${id}` } },
    })
    expect([made.status, made.body]).toEqual([
      200,
      {
        _total_items: 2,
        _links: { self: { href: `${BASE}/audiences` } },
        _embedded: {
          audiences: [
            { ...shown(spring, 'Spring'), request_id: 'a' },
            { ...shown(summer, 'Summer'), request_id: '1' },
          ],
        },
      },
    ])
    const renamed = await browser.patch(`/web/v4/audiences/${spring}`, { name: 'Autumn' })
    expect([renamed.status, renamed.body]).toEqual([200, shown(spring, 'Autumn')])
    expect((await browser.get('/web/v4/audiences')).body).toEqual({
      _total_items: 2,
      _page: 1,
      _page_count: 1,
      _links: { self: { href: `${BASE}/audiences?page=1&limit=50` } },
      _embedded: { audiences: [shown(spring, 'Autumn'), shown(summer, 'Summer')] },
    })
    expect((await browser.get(`/web/v4/audiences/${summer}`)).body).toEqual(shown(summer, 'Summer'))
    const gone = await browser.delete(`/web/v4/audiences/${summer}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await browser.get(`/web/v4/audiences/${summer}`)).status).toBe(404)
  })

  onEmbedded('are visible to everybody in the account and changed only by administrators', async () => {
    const all = await world()
    const { admin, addPerson, addAccount, stranger } = all
    const id = await audience(admin)
    const ann = await addPerson({ rights: { leads: leadsOf('A') } })
    const other = await addPerson({ account: await addAccount('other'), is_admin: true })
    const before = await rows(all)
    const draft = { name: 'X', service: 'y' }
    const statuses = async ({ browser }: Pick<Person, 'browser'>) => [
      (await browser.get(`/web/v4/audiences/${id}`)).status,
      (await browser.post('/web/v4/audiences', [draft])).status,
      (await browser.patch(`/web/v4/audiences/${id}`, draft)).status,
      (await browser.delete(`/web/v4/audiences/${id}`)).status,
    ]
    expect(await statuses(ann)).toEqual([200, 403, 403, 403])
    expect(await statuses({ browser: stranger })).toEqual([401, 401, 401, 401])
    expect(await rows(all)).toEqual(before)
    expect(await statuses(other)).toEqual([404, 200, 404, 404])
  })

  onEmbedded.each<[string, unknown, string, string, string]>([
    ['no name', [{ service: 'x' }], '0', 'name', 'FieldMissing'],
    ['a blank name', [{ name: '', service: 'x' }], '0', 'name', 'NotBlank'],
    ['a long name', [{ name: 'x'.repeat(256), service: 'x' }], '0', 'name', 'TooLong'],
    [
      'an invalid service',
      [
        { name: 'x', service: 'y' },
        { name: 'x', service: 5, request_id: 'r' },
      ],
      'r',
      'service',
      'InvalidType',
    ],
  ])('are refused with %s, and nothing is stored', async (_what, body, request_id, path, code) => {
    const all = await world()
    const before = await rows(all)
    const answer = await all.admin.browser.post('/web/v4/audiences', body)
    expect([answer.status, answer.body['validation-errors']]).toEqual([
      400,
      [{ request_id, errors: [{ code, path, detail: expect.any(String) }] }],
    ])
    expect(await rows(all)).toEqual(before)
  })

  test('are limited to 250', async () => {
    const { admin } = await world()
    const drafts = Array(250).fill({ name: 'x', service: 'y' })
    expect((await admin.browser.post('/web/v4/audiences', drafts)).status).toBe(200)
    const answer = await admin.browser.post('/web/v4/audiences', drafts.slice(0, 1))
    expect([answer.status, answer.body.type]).toEqual([
      409,
      'http://demo.localhost:8080/docs/errors#audience_limit',
    ])
  })
})

describe('A record in an audience', () => {
  test('is recorded with a note of its contacts, the campaign and the service, and an event for the note', async () => {
    const all = await world()
    const { admin, ctx, account } = all
    const audience_id = await audience(admin)
    const contact = await add(admin.browser, 'contacts')
    const lead = await add(admin.browser, 'leads', { _embedded: { contacts: [{ id: contact }] } })
    const known = (await log(ctx)).length
    const answer = await admin.browser.post(`/web/v4/leads/${lead}/audiences`, { audience_id })
    const shown = {
      id: audience_id,
      name: 'Spring',
      service: 'adverts',
      created_by: admin.id,
      created_at: BEGINNING,
      account_id: account.id,
      added_at: BEGINNING,
      _links: { self: { href: `${BASE}/audiences/${audience_id}` } },
    }
    expect([answer.status, answer.body]).toEqual([200, shown])
    const [note] = await notes(all)
    expect(note).toEqual({
      id: note?.id,
      note_type: 'targeting_in',
      entity_type: 'leads',
      entity_id: lead,
      params: { contacts: [contact], campaign: 'Spring', service: 'adverts' },
      created_by: admin.id,
    })
    expect((await log(ctx)).slice(known)).toEqual([
      {
        type: 'targeting_in_note_added',
        entity: ['lead', lead],
        by: admin.id,
        before: [],
        after: [{ note: { id: note?.id } }],
      },
    ])
    expect((await admin.browser.get(`/web/v4/leads/${lead}/audiences`)).body).toEqual({
      _total_items: 1,
      _links: { self: { href: `${BASE}/leads/${lead}/audiences` } },
      _embedded: { audiences: [shown] },
    })
  })

  test.each([
    ['leads', 'lead'],
    ['contacts', 'contact'],
    ['companies', 'company'],
    ['customers', 'customer'],
  ])('(%s) has one event per real addition and removal', async (type, singular) => {
    const all = await world()
    const { admin, ctx, clock } = all
    const audience_id = await audience(admin)
    const id = await add(admin.browser, type, { name: 'x' })
    const known = (await log(ctx)).length
    const put = () => admin.browser.post(`/web/v4/${type}/${id}/audiences`, { audience_id })
    const take = () => admin.browser.delete(`/web/v4/${type}/${id}/audiences/${audience_id}`)
    const statuses = [(await take()).status, (await put()).status]
    clock.advance(60)
    const again = await put()
    statuses.push((await take()).status, (await take()).status)
    expect([statuses, again.body.added_at]).toEqual([[204, 200, 204, 204], BEGINNING])
    const [into, out] = await notes(all)
    const contacts = type === 'contacts' ? [id] : []
    expect([into?.note_type, into?.params, out?.note_type, out?.params]).toEqual([
      'targeting_in',
      { contacts, campaign: 'Spring', service: 'adverts' },
      'targeting_out',
      { contacts, campaign: 'Spring', service: 'adverts' },
    ])
    const event = (type: string, note_id: number | undefined) => ({
      type,
      entity: [singular, id],
      by: admin.id,
      before: [],
      after: [{ note: { id: note_id } }],
    })
    expect((await log(ctx)).slice(known)).toEqual([
      event('targeting_in_note_added', into?.id),
      event('targeting_out_note_added', out?.id),
    ])
    expect((await admin.browser.get(`/web/v4/${type}/${id}/audiences`)).status).toBe(204)
  })

  test('leaves a deleted audience without an event of its own', async () => {
    const all = await world()
    const { admin, ctx } = all
    const audience_id = await audience(admin)
    const id = await add(admin.browser, 'leads')
    await admin.browser.post(`/web/v4/leads/${id}/audiences`, { audience_id })
    const known = await log(ctx)
    await admin.browser.delete(`/web/v4/audiences/${audience_id}`)
    expect([await rows(all), await log(ctx)]).toEqual([[[], []], known])
  })

  test('brings its audiences into a merge', async () => {
    const all = await world()
    const { browser } = all.admin
    const [one, two] = [await audience(all.admin, 'One'), await audience(all.admin, 'Two')]
    const [a, b] = [await add(browser, 'leads'), await add(browser, 'leads')]
    await browser.post(`/web/v4/leads/${a}/audiences`, { audience_id: one })
    await browser.post(`/web/v4/leads/${b}/audiences`, { audience_id: one })
    await browser.post(`/web/v4/leads/${b}/audiences`, { audience_id: two })
    await browser.post('/web/v4/leads/merge', { id: a, merge: [b] })
    const of = async (id: number) => {
      const { body } = await browser.get(`/web/v4/leads/${id}/audiences`)
      return body._embedded.audiences.map(({ id }: { id: number }) => id)
    }
    const [, members] = await rows(all)
    expect([await of(a), members?.length]).toEqual([[one, two], 2])
  })

  test('is added or removed by people who can change it; an unknown audience is refused', async () => {
    const all = await world()
    const { admin, addPerson, addAccount, stranger } = all
    const audience_id = await audience(admin)
    const other = await addPerson({ account: await addAccount('other'), is_admin: true })
    const foreign = await audience(other)
    const ann = await addPerson({ rights: { leads: leadsOf('M') } })
    const id = await add(admin.browser, 'leads')
    const [before, known] = [await traces(all.ctx), await rows(all)]
    const ask = async ({ browser }: Pick<Person, 'browser'>, id: number, audience: unknown) => {
      const path = `/web/v4/leads/${id}/audiences`
      return [
        (await browser.get(path)).status,
        (await browser.post(path, { audience_id: audience })).status,
        (await browser.delete(`${path}/${audience}`)).status,
      ]
    }
    expect([
      await ask({ browser: stranger }, id, audience_id),
      await ask(ann, id, audience_id),
      await ask(ann, 999_999, audience_id),
      await ask(other, id, foreign),
      await ask(admin, 999_999, audience_id),
      await ask(admin, id, 999_999),
      await ask(admin, id, foreign),
      await ask(admin, id, 'x'),
    ]).toEqual([
      [401, 401, 401],
      [404, 403, 403],
      [404, 403, 403],
      [404, 404, 404],
      [404, 404, 404],
      [204, 400, 404],
      [204, 400, 404],
      [204, 400, 404],
    ])
    const refused = await admin.browser.post(`/web/v4/leads/${id}/audiences`, { audience_id: foreign })
    expect(refused.body['validation-errors']).toEqual([
      {
        request_id: '0',
        errors: [{ code: 'NotSupportedChoice', path: 'audience_id', detail: NO_AUDIENCE }],
      },
    ])
    expect([await traces(all.ctx), await rows(all)]).toEqual([before, known])
  })
})
