import { describe, expect, test } from 'vitest'
import { add, log, traces } from '../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../test/world.ts'

const LEADS = 'http://demo.localhost:8080/web/v4/leads'
const NO_LEAD = 'There is no such lead.'

/** The stages of the main pipeline, in order. */
async function stages(browser: Awaited<ReturnType<typeof world>>['admin']['browser']) {
  const { body } = await browser.get('/web/v4/leads/pipelines')
  const [pipeline] = body._embedded.pipelines
  const all: { id: number; type: number }[] = pipeline._embedded.statuses
  return {
    pipeline_id: pipeline.id as number,
    own: all.filter(({ id, type }) => type === 0 && id !== 142 && id !== 143).map(({ id }) => id),
  }
}

describe('POST /leads', () => {
  test('adds leads and returns their ids, with the given request_id or the index', async () => {
    const { admin } = await world()
    const answer = await admin.browser.post('/web/v4/leads', [
      { name: 'Roof', price: 1200, request_id: 'r-1' },
      { request_id: 7 },
      {},
    ])
    const [one, two, three] = answer.body._embedded.leads
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        _links: { self: { href: LEADS } },
        _embedded: {
          leads: [
            { id: one.id, request_id: 'r-1', _links: { self: { href: `${LEADS}/${one.id}` } } },
            { id: two.id, request_id: 7, _links: { self: { href: `${LEADS}/${two.id}` } } },
            { id: three.id, request_id: '2', _links: { self: { href: `${LEADS}/${three.id}` } } },
          ],
        },
      },
    ])
  })

  test('a lead defaults to the first stage of the main pipeline, and to its creator', async () => {
    const { admin, account } = await world()
    const { browser } = admin
    const { pipeline_id, own } = await stages(browser)
    const id = await add(browser, 'leads', { name: 'Roof', price: 1200 })
    expect((await browser.get(`/web/v4/leads/${id}`)).body).toEqual({
      id,
      name: 'Roof',
      price: 1200,
      price_with_minor_units: 1200,
      responsible_user_id: admin.id,
      group_id: 0,
      status_id: own[0],
      pipeline_id,
      loss_reason_id: null,
      source_id: null,
      created_by: admin.id,
      updated_by: admin.id,
      created_at: BEGINNING,
      updated_at: BEGINNING,
      closed_at: null,
      closest_task_at: null,
      is_deleted: false,
      custom_fields_values: null,
      score: null,
      account_id: account.id,
      labor_cost: null,
      is_price_computed: false,
      _links: { self: { href: `${LEADS}/${id}` } },
      _embedded: { tags: [], companies: [] },
    })
  })

  test('0 as the stage or pipeline of a new lead means the default', async () => {
    const { admin } = await world()
    const { pipeline_id, own } = await stages(admin.browser)
    const id = await add(admin.browser, 'leads', { status_id: 0, pipeline_id: 0 })
    const lead = (await admin.browser.get(`/web/v4/leads/${id}`)).body
    expect([lead.pipeline_id, lead.status_id]).toEqual([pipeline_id, own[0]])
    const [later] = (await admin.browser.post('/web/v4/leads', [{ status_id: own[2], pipeline_id: 0 }])).body
      ._embedded.leads
    expect((await admin.browser.get(`/web/v4/leads/${later.id}`)).body.status_id).toBe(own[2])
    expect((await admin.browser.patch(`/web/v4/leads/${id}`, { status_id: 0 })).status).toBe(400)
  })

  test('a lead without a name is named after its id', async () => {
    const { admin } = await world()
    const id = await add(admin.browser, 'leads')
    const name = async () => (await admin.browser.get(`/web/v4/leads/${id}`)).body.name
    expect(await name()).toBe(`Lead #${id}`)
    const created = await add(admin.browser, 'leads', { name: null })
    expect((await admin.browser.get(`/web/v4/leads/${created}`)).body.name).toBe(`Lead #${created}`)
    for (const blank of ['', '  ']) {
      await admin.browser.patch(`/web/v4/leads/${id}`, { name: 'Bicycles' })
      expect(await name()).toBe('Bicycles')
      await admin.browser.patch(`/web/v4/leads/${id}`, { name: blank })
      expect(await name()).toBe(`Lead #${id}`)
    }
  })

  test('given times and people are stored', async () => {
    const { admin, addPerson } = await world()
    const ann = await addPerson()
    const draft = {
      created_at: 5,
      updated_at: 6,
      created_by: 0,
      updated_by: ann.id,
      responsible_user_id: ann.id,
    }
    const id = await add(admin.browser, 'leads', draft)
    expect((await admin.browser.get(`/web/v4/leads/${id}`)).body).toMatchObject(draft)
  })

  test('records its creation with a note, and its tags and links on both sides', async () => {
    const { admin, ctx } = await world()
    const contact = await add(admin.browser, 'contacts', { name: 'Ann' })
    const before = (await log(ctx)).length
    const id = await add(admin.browser, 'leads', {
      name: 'Roof',
      _embedded: { tags: [{ name: 'hot' }, { name: ' new ' }], contacts: [{ id: contact }] },
    })
    const by = admin.id
    const link = (type: string, to: number) => [{ link: { entity: { type, id: to } } }]
    expect((await log(ctx)).slice(before)).toEqual([
      { type: 'lead_added', entity: ['lead', id], by, before: [], after: [{ note: { id: 2 } }] },
      {
        type: 'entity_tag_added',
        entity: ['lead', id],
        by,
        before: [],
        after: [{ tag: { name: 'hot' } }, { tag: { name: 'new' } }],
      },
      { type: 'contact_linked', entity: ['lead', id], by, before: [], after: link('contact', contact) },
      { type: 'lead_linked', entity: ['contact', contact], by, before: [], after: link('lead', id) },
    ])
    const notes = await ctx.db
      .selectFrom('notes')
      .select(['note_type', 'entity_id', 'params'])
      .where('id', '=', 2)
      .execute()
    expect(notes).toEqual([{ note_type: 'lead_created', entity_id: id, params: '{"text":"Roof"}' }])
  })

  test.each<[string, object, string, string]>([
    ['a stage that is none', { status_id: 999_999 }, 'status_id', 'NotSupportedChoice'],
    ['a pipeline that is none', { pipeline_id: 999_999 }, 'pipeline_id', 'NotSupportedChoice'],
    ['a person who is none', { responsible_user_id: 999_999 }, 'responsible_user_id', 'NotSupportedChoice'],
    ['an author who is none', { created_by: 999_999 }, 'created_by', 'NotSupportedChoice'],
    ['an editor who is none', { updated_by: 999_999 }, 'updated_by', 'NotSupportedChoice'],
    ['a loss reason for an open lead', { loss_reason_id: 1 }, 'loss_reason_id', 'NotSupportedChoice'],
    [
      'an unknown field',
      { custom_fields_values: [{ field_id: 999_999, values: [{ value: 'x' }] }] },
      'custom_fields_values.0.field_id',
      'NotSupportedChoice',
    ],
    ['an unknown tag', { _embedded: { tags: [{ id: 999_999 }] } }, '_embedded.tags.0', 'NotSupportedChoice'],
    [
      'an unknown contact',
      { _embedded: { contacts: [{ id: 999_999 }] } },
      '_embedded.contacts.0.id',
      'NotSupportedChoice',
    ],
    ['a price that is text', { price: '5' }, 'price', 'InvalidType'],
    ['a price below nothing', { price: -0.5 }, 'price', 'OutOfRange'],
    ['a name that is too long', { name: 'x'.repeat(256) }, 'name', 'TooLong'],
    ['a time before time', { created_at: -1 }, 'created_at', 'OutOfRange'],
  ])('%s is rejected by name, and nothing of the batch is stored', async (_what, draft, path, code) => {
    const { admin, ctx } = await world()
    const before = await traces(ctx)
    const good = { name: 'Good', tags_to_add: [{ name: 'fresh' }] }
    const answer = await admin.browser.post('/web/v4/leads', [good, { ...draft, request_id: 'bad' }])
    expect([answer.status, answer.body['validation-errors']]).toEqual([
      400,
      [{ request_id: 'bad', errors: [{ code, path, detail: expect.any(String) }] }],
    ])
    expect(await traces(ctx)).toEqual(before)
  })

  test.each([
    ['nothing', [], 'TooFew'],
    ['more than 250', Array(251).fill({}), 'TooMany'],
    ['no list', { name: 'x' }, 'InvalidType'],
  ])('%s is not a valid batch', async (_what, body, code) => {
    const { admin } = await world()
    const answer = await admin.browser.post('/web/v4/leads', body)
    expect([answer.status, answer.body['validation-errors'][0].errors[0].code]).toEqual([400, code])
  })

  test.each(['post', 'patch'] as const)(
    '%s without a body, or with null for one, is refused',
    async (method) => {
      const { admin } = await world()
      const json = { 'content-type': 'application/json' }
      const answers = [
        await admin.browser[method]('/web/v4/leads'),
        await admin.browser[method]('/web/v4/leads', 'null', json),
      ]
      expect(answers.map(({ status, body }) => [status, body.detail])).toEqual(
        Array(2).fill([400, 'Request data can not be empty']),
      )
    },
  )

  test('requires authentication', async () => {
    const { stranger, app, ctx } = await world()
    expect((await stranger.post('/api/v4/leads', [{}])).status).toBe(401)
    expect((await stranger.post('/web/v4/leads', [{}])).status).toBe(401)
    expect([app.chores.length > 0, await log(ctx)]).toEqual([true, []])
  })
})

describe('PATCH /leads', () => {
  test('changes the named members, and records each difference before and after', async () => {
    const { admin, addPerson, ctx, clock } = await world()
    const { browser } = admin
    const { pipeline_id, own } = await stages(browser)
    const ann = await addPerson()
    const id = await add(browser, 'leads', { name: 'Roof', price: 1, _embedded: { tags: [{ name: 'old' }] } })
    const known = (await log(ctx)).length
    clock.advance(60)
    const answer = await browser.patch(`/web/v4/leads/${id}`, {
      name: 'Roof and wall',
      price: 2,
      status_id: own[1],
      responsible_user_id: ann.id,
      tags_to_add: [{ name: 'new' }],
      tags_to_delete: [{ name: 'old' }],
    })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id,
        updated_at: BEGINNING + 60,
        request_id: '0',
        _links: { self: { href: `${LEADS}/${id}` } },
      },
    ])
    const stage = (n: number) => [{ lead_status: { id: own[n], pipeline_id } }]
    const change = (type: string, before: unknown[], after: unknown[]) => ({
      type,
      entity: ['lead', id],
      by: admin.id,
      before,
      after,
    })
    expect((await log(ctx)).slice(known)).toEqual([
      change(
        'name_field_changed',
        [{ name_field_value: { name: 'Roof' } }],
        [{ name_field_value: { name: 'Roof and wall' } }],
      ),
      change('sale_field_changed', [{ sale_field_value: { sale: 1 } }], [{ sale_field_value: { sale: 2 } }]),
      change('lead_status_changed', stage(0), stage(1)),
      change(
        'entity_responsible_changed',
        [{ responsible_user: { id: admin.id } }],
        [{ responsible_user: { id: ann.id } }],
      ),
      change('entity_tag_added', [], [{ tag: { name: 'new' } }]),
      change('entity_tag_deleted', [{ tag: { name: 'old' } }], []),
    ])
  })

  test('a patch without differences records nothing and keeps updated_at', async () => {
    const { admin, ctx, clock } = await world()
    const tags = [{ name: 'a' }, { name: 'b' }]
    const id = await add(admin.browser, 'leads', { name: 'Roof', price: 1, _embedded: { tags } })
    const before = await log(ctx)
    clock.advance(60)
    const { body } = await admin.browser.patch(`/web/v4/leads/${id}`, {
      name: 'Roof',
      price: 1,
      responsible_user_id: admin.id,
      _embedded: { tags: [...tags].reverse() },
    })
    expect([body.updated_at, await log(ctx)]).toEqual([BEGINNING, before])
  })

  test('a batch changes leads by id, and repeated ids in the given order', async () => {
    const { admin, ctx } = await world()
    const [a, b] = [
      await add(admin.browser, 'leads', { name: 'A' }),
      await add(admin.browser, 'leads', { name: 'B' }),
    ]
    const known = (await log(ctx)).length
    const answer = await admin.browser.patch('/web/v4/leads', [
      { id: b, name: 'B2' },
      { id: a, name: 'A2', price: 5 },
      { id: b, name: 'B3' },
    ])
    expect(answer.body._embedded.leads.map(({ id }: { id: number }) => id)).toEqual([b, a, b])
    expect((await log(ctx)).slice(known).map(({ type, entity, after }) => [type, entity[1], after])).toEqual([
      ['name_field_changed', b, [{ name_field_value: { name: 'B3' } }]],
      ['name_field_changed', a, [{ name_field_value: { name: 'A2' } }]],
      ['sale_field_changed', a, [{ sale_field_value: { sale: 5 } }]],
    ])
  })

  test('won and lost close a lead, a lost lead can have a reason, and another stage reopens it', async () => {
    const { admin, clock } = await world()
    const { browser } = admin
    const { own } = await stages(browser)
    const [reason] = (await browser.get('/web/v4/leads/loss_reasons')).body._embedded.loss_reasons
    const id = await add(browser, 'leads')
    const read = async () => {
      const { status_id, closed_at, loss_reason_id } = (await browser.get(`/web/v4/leads/${id}`)).body
      return { status_id, closed_at, loss_reason_id }
    }
    clock.advance(10)
    await browser.patch(`/web/v4/leads/${id}`, { status_id: 143, loss_reason_id: reason.id })
    expect(await read()).toEqual({ status_id: 143, closed_at: BEGINNING + 10, loss_reason_id: reason.id })
    const shown = (await browser.get(`/web/v4/leads/${id}?with=loss_reason`)).body._embedded.loss_reason
    expect(shown.map(({ id, name }: { id: number; name: string }) => [id, name])).toEqual([
      [reason.id, reason.name],
    ])
    // 0 is no reason.
    await browser.patch(`/web/v4/leads/${id}`, { loss_reason_id: 0 })
    expect(await read()).toEqual({ status_id: 143, closed_at: BEGINNING + 10, loss_reason_id: null })
    await browser.patch(`/web/v4/leads/${id}`, { status_id: 142 })
    expect(await read()).toEqual({ status_id: 142, closed_at: BEGINNING + 10, loss_reason_id: null })
    clock.advance(10)
    await browser.patch(`/web/v4/leads/${id}`, { price: 5, closed_at: null })
    expect(await read()).toEqual({ status_id: 142, closed_at: BEGINNING + 10, loss_reason_id: null })
    await browser.patch(`/web/v4/leads/${id}`, { status_id: own[0] })
    expect(await read()).toEqual({ status_id: own[0], closed_at: null, loss_reason_id: null })
  })

  test('an unknown id is 404 in the address, and an invalid choice in a batch', async () => {
    const { admin, ctx } = await world()
    const id = await add(admin.browser, 'leads', { name: 'A' })
    const before = await traces(ctx)
    expect((await admin.browser.patch('/web/v4/leads/999', { name: 'x' })).status).toBe(404)
    const answer = await admin.browser.patch('/web/v4/leads', [
      { id, name: 'B' },
      { id: 999, name: 'x' },
    ])
    expect([answer.status, answer.body['validation-errors']]).toEqual([
      400,
      [{ request_id: '1', errors: [{ code: 'NotSupportedChoice', path: 'id', detail: NO_LEAD }] }],
    ])
    expect([await traces(ctx), (await admin.browser.get(`/web/v4/leads/${id}`)).body.name]).toEqual([
      before,
      'A',
    ])
  })
})
