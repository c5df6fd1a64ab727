import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../test/client.ts'
import { faultsOf } from '../../test/faults.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add, addAll, log, traces } from '../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'
import type { WritableNoteType } from './note-types.ts'

const V4 = 'http://demo.localhost:8080/web/v4'
const kinds = { leads: 'lead', contacts: 'contact', companies: 'company', customers: 'customer' }
const hello = { note_type: 'common', params: { text: 'Hello' } }
const idsOf = ({ body }: Answer): number[] => body._embedded.notes.map(({ id }: { id: number }) => id)
const linkOf = (entity_id: number, id: number, type = 'leads') => ({
  self: { href: `${V4}/${type}/${entity_id}/notes/${id}` },
})

async function withLead() {
  const all = await world()
  const { browser } = all.admin
  const lead = await add(browser, 'leads', { name: 'Roof' })
  const notes = `/web/v4/leads/${lead}/notes`
  const addOne = async (draft: object = hello) => {
    const answer = await browser.post(notes, [draft])
    if (answer.status !== 200) throw new Error(answer.text)
    return idsOf(answer)[0] as number
  }
  const read = async (id: number) => (await browser.get(`/web/v4/leads/notes/${id}`)).body
  const edit = (id: number, patch: object) => browser.patch(`/web/v4/leads/notes/${id}`, patch)
  return { ...all, browser, lead, notes, addOne, read, edit }
}

/** The events that were recorded during a request. */
async function recorded({ ctx }: World, act: () => Promise<Answer>) {
  const known = (await log(ctx)).length
  const { status } = await act()
  return {
    status,
    events: (await log(ctx)).slice(known).map(({ type, entity, after }) => [type, entity, after]),
  }
}

describe('Adding notes', () => {
  test('returns their ids, with the request_id or the index', async () => {
    const { browser, lead } = await withLead()
    const other = await add(browser, 'leads')
    const answer = await browser.post('/web/v4/leads/notes', [
      { ...hello, entity_id: other, request_id: 'r-1' },
      { ...hello, entity_id: lead, request_id: 7 },
      { ...hello, entity_id: lead },
    ])
    const [one, two, three] = idsOf(answer) as [number, number, number]
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        _links: { self: { href: `${V4}/leads/notes` } },
        _embedded: {
          notes: [
            { id: one, entity_id: other, request_id: 'r-1', _links: linkOf(other, one) },
            { id: two, entity_id: lead, request_id: 7, _links: linkOf(lead, two) },
            { id: three, entity_id: lead, request_id: '2', _links: linkOf(lead, three) },
          ],
        },
      },
    ])
  })

  test.each(Object.entries(kinds))(
    'works at the address of a record: %s; each note can be read and has an event',
    async (type, kind) => {
      const all = await world()
      const { browser, id: admin } = all.admin
      const record = await add(browser, type, { name: 'One' })
      let answer = {} as Answer
      const { status, events } = await recorded(all, async () => {
        answer = await browser.post(`/web/v4/${type}/${record}/notes`, [{ ...hello, request_id: 'a' }])
        return answer
      })
      const [id] = idsOf(answer) as [number]
      expect([status, answer.body]).toEqual([
        200,
        {
          _links: { self: { href: `${V4}/${type}/${record}/notes` } },
          _embedded: {
            notes: [{ id, entity_id: record, request_id: 'a', _links: linkOf(record, id, type) }],
          },
        },
      ])
      expect(events).toEqual([['common_note_added', [kind, record], [{ note: { id } }]]])
      const note = {
        id,
        entity_id: record,
        created_by: admin,
        updated_by: admin,
        created_at: BEGINNING,
        updated_at: BEGINNING,
        responsible_user_id: admin,
        group_id: 0,
        note_type: 'common',
        params: { text: 'Hello' },
        account_id: all.account.id,
        _links: linkOf(record, id, type),
      }
      for (const path of [`${type}/notes/${id}`, `${type}/${record}/notes/${id}`]) {
        const read = await browser.get(`/web/v4/${path}`)
        expect([read.status, read.body, Object.keys(read.body)]).toEqual([200, note, Object.keys(note)])
      }
    },
  )

  test('accepts an author and a time for imported notes; the responsible user defaults to that of the record', async () => {
    const { addOne, read, addPerson, browser, admin } = await withLead()
    const second = (await browser.post('/web/v4/groups', { name: 'Second' })).body.id
    const ann = (await addPerson({ group_id: second })).id
    const lead = await add(browser, 'leads', { responsible_user_id: ann })
    const [id] = idsOf(await browser.post(`/web/v4/leads/${lead}/notes`, [hello])) as [number]
    expect(await read(id)).toMatchObject({ responsible_user_id: ann, group_id: second, created_by: admin.id })
    const written = { created_by: 0, updated_by: ann, created_at: 5, updated_at: 6, responsible_user_id: ann }
    const other = await addOne({ ...hello, ...written, is_need_to_trigger_digital_pipeline: false })
    expect(await read(other)).toMatchObject({ ...written, group_id: second })
  })

  test('accepts up to 250 at once', async () => {
    const { browser, lead, ctx } = await withLead()
    const leads = await addAll(browser, 'leads', Array(5).fill({}))
    const drafts = Array.from({ length: 250 }, (_, i) => ({ ...hello, entity_id: leads[i % 5] }))
    const events = (await log(ctx)).length
    const answer = await browser.post('/web/v4/leads/notes', drafts)
    expect([answer.status, new Set(idsOf(answer)).size]).toEqual([200, 250])
    const added = (await log(ctx)).slice(events)
    expect(added.map(({ entity, after }) => [entity[1], after])).toEqual(
      idsOf(answer).map((id, i) => [leads[i % 5], [{ note: { id } }]]),
    )
    const before = await traces(ctx)
    const many = await browser.post(`/web/v4/leads/${lead}/notes`, Array(251).fill(hello))
    expect(faultsOf(many)[0]).toBe(400)
    expect((await browser.post(`/web/v4/leads/${lead}/notes`, [])).status).toBe(400)
    expect(await traces(ctx)).toEqual(before)
  })
})

const call = { duration: 61, source: 'exchange', phone: '+1 555 0100' }
const served = { service: 'Shop', text: 'Sent' }
const place = { text: 'Here', address: 'Main Street 1', longitude: '37.61', latitude: '55.75' }

const targeted = { contacts: [5, 7], campaign: 'Spring', service: 'Ads' }

/** A type: its required params, all of its params with values, and its event, or null if it has none. */
type Case = [required: string[], params: Record<string, unknown>, event: string | null]

const ofCalls = ['duration', 'source', 'phone']
const ofTargeting = ['contacts', 'campaign', 'service']

/** Every writable type. Attachments are tested with their files. */
const cases: Record<Exclude<WritableNoteType, 'attachment'>, Case> = {
  common: [['text'], { text: 'Hello' }, 'common_note_added'],
  call_in: [ofCalls, { uniq: 'c-1', ...call, link: 'https://calls.example/1.mp3' }, 'incoming_call'],
  call_out: [
    ofCalls,
    { uniq: 'c-2', ...call, call_result: 'Fine', call_status: 4, call_responsible: 'Ann' },
    'outgoing_call',
  ],
  service_message: [['service', 'text'], served, 'service_note_added'],
  extended_service_message: [['service', 'text'], served, 'service_note_added'],
  message_cashier: [
    ['status', 'text'],
    { status: 'created', text: 'Take 5' },
    'message_to_cashier_note_added',
  ],
  invoice_paid: [
    ['service', 'text'],
    { icon_url: 'https://shop.example/i.png', ...served },
    'service_note_added',
  ],
  bill_paid: [
    ['service', 'text'],
    { icon_url: 'https://shop.example/i.png', ...served },
    'service_note_added',
  ],
  geolocation: [['text', 'address', 'longitude', 'latitude'], place, 'geo_note_added'],
  sms_in: [['text', 'phone'], { text: 'Hi', phone: '1' }, 'incoming_sms'],
  sms_out: [['text', 'phone'], { text: 'Hi', phone: '1' }, 'outgoing_sms'],
  site_visit: [['url'], { url: 'https://shop.example/a' }, 'site_visit_note_added'],
  targeting_in: [ofTargeting, targeted, 'targeting_in_note_added'],
  targeting_out: [ofTargeting, targeted, 'targeting_out_note_added'],
  ai_result: [['text'], { text: 'Fine', answer_id: 'a-1', talk_id: 5, is_error: false }, null],
}
const written = Object.entries(cases).map(
  ([note_type, [required, params, event]]) => [note_type, params, event, required] as const,
)

test('each type has a row in the documentation, with its required params and the others', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/fields-and-notes.md'), 'utf8')
  const rows = page.split('\n').flatMap((line) => {
    const [, types, ...columns] = /^\| (`[^|]+) \|([^|]*)\|([^|]*)\|$/.exec(line) ?? []
    const names = columns.map((column) => [...column.matchAll(/`(\w+)`/g)].map(([, name]) => name as string))
    return types ? [...types.matchAll(/`(\w+)`/g)].map(([, type]) => [type, names] as const) : []
  })
  const documented = new Map(rows)
  for (const [type, params, , required] of written) {
    const [first = [], others = []] = documented.get(type) ?? []
    expect([type, first]).toEqual([type, expect.arrayContaining(required)])
    expect([type, [...first, ...others]]).toEqual([type, expect.arrayContaining(Object.keys(params))])
  }
})

describe('Note types', () => {
  test.each(written)(
    '%s is stored without unknown params, and recorded',
    async (note_type, params, event) => {
      const all = await withLead()
      const { lead, browser, notes, read } = all
      let id = 0
      const { events } = await recorded(all, async () => {
        const answer = await browser.post(notes, [{ note_type, params: { ...params, other: 1 } }])
        id = idsOf(answer)[0] as number
        return answer
      })
      expect(await read(id)).toMatchObject({ note_type, params })
      expect(Object.keys((await read(id)).params).sort()).toEqual(Object.keys(params).sort())
      expect(events).toEqual(event === null ? [] : [[event, ['lead', lead], [{ note: { id } }]]])
    },
  )

  test.each(written)(
    '%s: each param is refused with a wrong type, and required ones are refused if missing',
    async (note_type, params, event, required) => {
      const { browser, lead, ctx } = await withLead()
      const before = await traces(ctx)
      const post = (params: unknown) =>
        browser.post('/web/v4/leads/notes', [{ entity_id: lead, note_type, params }])
      for (const name of Object.keys(params)) {
        const path = `params.${name}`
        const code = name === 'status' ? 'NotSupportedChoice' : 'InvalidType'
        expect(faultsOf(await post({ ...params, [name]: { a: 1 } }))).toEqual([400, `0 ${code} ${path}`])
        const { [name]: _, ...others } = params
        // A deleted call keeps its uniq.
        const answer = await post('uniq' in others ? { ...others, uniq: `without ${name}` } : others)
        if (required.includes(name)) expect(faultsOf(answer)).toEqual([400, `0 FieldMissing ${path}`])
        else {
          expect(answer.status).toBe(200)
          await browser.delete(`/web/v4/leads/notes/${idsOf(answer)[0]}`)
        }
      }
      expect(faultsOf(await post(undefined))).toEqual([400, '0 FieldMissing params'])
      expect(faultsOf(await post('text'))).toEqual([400, '0 InvalidType params'])
      const added = Object.keys(params).length - required.length
      const { notes, events } = await traces(ctx)
      expect([notes, events]).toEqual([
        (before.notes as number) + added,
        (before.events as number) + (event === null ? 0 : added),
      ])
    },
  )

  test.each(['site_visit', 'targeting_in', 'targeting_out', 'ai_result'])(
    '%s records what happened and cannot be changed',
    async (note_type) => {
      const { addOne, read, browser } = await withLead()
      const params = written.find(([type]) => type === note_type)?.[1]
      const id = await addOne({ note_type, params })
      const before = await read(id)
      const answer = await browser.patch(`/web/v4/leads/notes/${id}`, { params: { text: 'x', url: 'x' } })
      expect(faultsOf(answer)).toEqual([400, '0 NotSupportedChoice note_type'])
      expect(await read(id)).toEqual(before)
    },
  )

  test('a call without an id gets one, and needs no recording', async () => {
    const { addOne, read } = await withLead()
    const [one, two] = [
      await addOne({ note_type: 'call_in', params: call }),
      await addOne({ note_type: 'call_in', params: call }),
    ]
    const params = [(await read(one)).params, (await read(two)).params]
    expect(params).toEqual([
      { uniq: expect.stringMatching(/^[0-9a-f-]{36}$/), ...call },
      { uniq: expect.stringMatching(/^[0-9a-f-]{36}$/), ...call },
    ])
    expect(params[0].uniq).not.toBe(params[1].uniq)
  })

  test.each<[string, object, string]>([
    ['call_in', { ...call, duration: 1.5 }, 'InvalidType params.duration'],
    ['call_in', { ...call, duration: -1 }, 'OutOfRange params.duration'],
    ['call_in', { ...call, duration: '61' }, 'InvalidType params.duration'],
    ['call_in', { ...call, link: 'javascript:alert(1)' }, 'InvalidFormat params.link'],
    ['call_in', { ...call, link: 'calls.example/1.mp3' }, 'InvalidFormat params.link'],
    ['call_in', { ...call, call_status: 9 }, 'OutOfRange params.call_status'],
    ['call_in', { ...call, call_status: 0 }, 'OutOfRange params.call_status'],
    ['call_in', { ...call, phone: 'x'.repeat(256) }, 'TooLong params.phone'],
    ['common', { text: '' }, 'NotBlank params.text'],
    ['common', { text: ' \n' }, 'InvalidFormat params.text'],
    ['common', { text: 'x'.repeat(65_536) }, 'TooLong params.text'],
    ['service_message', { ...served, text: 'x'.repeat(4_097) }, 'TooLong params.text'],
    ['extended_service_message', { ...served, text: 'x'.repeat(65_536) }, 'TooLong params.text'],
    ['message_cashier', { text: 'x', status: 'paid' }, 'NotSupportedChoice params.status'],
    ['invoice_paid', { ...served, icon_url: 'ftp://x/i.png' }, 'InvalidFormat params.icon_url'],
  ])('%s with %o is refused with its path', async (note_type, params, fault) => {
    const { browser, notes, ctx } = await withLead()
    const before = await traces(ctx)
    expect(faultsOf(await browser.post(notes, [hello, { note_type, params, request_id: 'x' }]))).toEqual([
      400,
      `x ${fault}`,
    ])
    expect(await traces(ctx)).toEqual(before)
  })

  test.each([
    'task_result',
    'lead_created',
    'zoom_meeting',
    'transaction',
    'mail_message',
    'constructor',
    '',
  ])('callers cannot write %o', async (note_type) => {
    const { browser, notes, ctx } = await withLead()
    const before = await traces(ctx)
    expect(faultsOf(await browser.post(notes, [hello, { ...hello, note_type }]))).toEqual([
      400,
      '1 NotSupportedChoice note_type',
    ])
    expect(await traces(ctx)).toEqual(before)
  })

  test('faults are listed per note', async () => {
    const { browser, lead } = await withLead()
    const answer = await browser.post('/web/v4/leads/notes', [
      {},
      { note_type: 5, entity_id: lead },
      { ...hello, request_id: 'no record' },
      { ...hello, entity_id: '1' },
      { ...hello, entity_id: lead, created_at: -1 },
      { ...hello, entity_id: lead, request_id: 1.5 },
      5,
    ])
    expect(faultsOf(answer)).toEqual([
      400,
      '0 FieldMissing note_type',
      '1 InvalidType note_type',
      'no record FieldMissing entity_id',
      '3 InvalidType entity_id',
      '4 OutOfRange created_at',
      '1.5 InvalidType request_id',
      '6 InvalidType ',
    ])
  })

  test('people must belong to the account, and responsible ones must be active', async () => {
    const { browser, notes, addPerson, addAccount, ctx } = await withLead()
    const far = (await addPerson({ account: await addAccount('other') })).id
    const gone = (await addPerson()).id
    await browser.post(`/web/v4/users/${gone}/deactivate`)
    const before = await traces(ctx)
    const answer = await browser.post(notes, [
      { ...hello, created_by: far },
      { ...hello, updated_by: 999_999 },
      { ...hello, responsible_user_id: far },
      { ...hello, responsible_user_id: 0 },
      { ...hello, responsible_user_id: gone },
      { ...hello, entity_id: 999_999 },
    ])
    expect(faultsOf(answer)).toEqual([
      400,
      '0 NotSupportedChoice created_by',
      '1 NotSupportedChoice updated_by',
      '2 NotSupportedChoice responsible_user_id',
      '3 NotSupportedChoice responsible_user_id',
      '4 NotSupportedChoice responsible_user_id',
      '5 NotSupportedChoice entity_id',
    ])
    expect(await traces(ctx)).toEqual(before)
  })
})

describe('Bearer tokens', () => {
  test('write and read notes with the rights of their person, as hal+json', async () => {
    const { admin, stranger } = await world()
    const { access_token } = await connect(stranger, await register(admin))
    const api = stranger.as({ token: access_token })
    const lead = await add(api, 'leads')
    const id = await add(api, `leads/${lead}/notes`, hello)
    const answer = await api.get(`/api/v4/leads/notes/${id}`)
    expect([answer.status, answer.headers['content-type'], answer.body._links.self.href]).toEqual([
      200,
      'application/hal+json',
      `http://demo.localhost:8080/api/v4/leads/${lead}/notes/${id}`,
    ])
    for (const unknown of ['dogs', 'catalog_elements'])
      expect((await api.get(`/api/v4/${unknown}/notes`)).status).toBe(404)
  })
})
