import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { upload } from '../../../test/fixtures/files.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'

const TEMPLATES = '/api/v4/chats/templates'
const HERE = '/web/v4/chats/templates'

/** An administrator with a token of a new integration. */
async function integration({ admin, stranger }: World) {
  const shop = await register(admin, { name: 'Shop', multiple_sources: true })
  const api = stranger.as({ token: (await connect(stranger, shop)).access_token })
  return { shop, api }
}

const faultsOf = (body: {
  'validation-errors': { request_id: string; errors: { path: string; code: string }[] }[]
}) =>
  body['validation-errors'].flatMap(({ request_id, errors }) =>
    errors.map(({ path, code }) => [request_id, path, code]),
  )

describe('A chat template', () => {
  test('has every member that was sent, and the defaults of the others', async () => {
    const w = await world()
    const { api } = await integration(w)
    const file = await upload(w.admin.browser, 'bytes', { file_name: 'offer.txt' })
    const full = {
      name: 'Order',
      content: 'Hello, {{contact.name}}',
      buttons: [
        { type: 'inline', text: 'Yes' },
        { type: 'url', text: 'Open', url: 'https://example.com/{{lead.id}}' },
      ],
      attachment: { id: file.uuid, type: 'document' },
      is_editable: true,
      external_id: 'order-1',
      type: 'waba',
      waba_footer: 'The shop',
      waba_category: 'UTILITY',
      waba_language: 'en_GB',
      waba_examples: { '{{contact.name}}': 'Jo' },
      waba_header: 'News',
      waba_header_type: 'media',
    }
    const { status, body } = await api.post(TEMPLATES, [
      { ...full, request_id: 'first' },
      { name: 'Short', content: 'Hi', waba_footer: 'Not of this type' },
    ])
    const base = 'http://demo.localhost:8080/api/v4/chats/templates'
    const [a, b] = body._embedded.chat_templates.map(({ id }: { id: number }) => id)
    const times = { account_id: w.account.id, created_at: BEGINNING, updated_at: BEGINNING }
    const first = {
      ...full,
      ...times,
      id: a,
      attachment: { id: file.uuid, name: 'offer.txt', type: 'document', is_external: true },
      _links: { self: { href: `${base}/${a}` } },
    }
    const second = {
      ...times,
      id: b,
      name: 'Short',
      content: 'Hi',
      buttons: [],
      attachment: null,
      is_editable: false,
      external_id: null,
      type: 'amocrm',
      waba_footer: '',
      waba_category: '',
      waba_language: '',
      waba_examples: [],
      waba_header: null,
      waba_header_type: null,
      _links: { self: { href: `${base}/${b}` } },
    }
    expect([status, body]).toEqual([
      200,
      {
        _total_items: 2,
        _links: { self: { href: base } },
        _embedded: {
          chat_templates: [
            { ...first, request_id: 'first' },
            { ...second, request_id: '1' },
          ],
        },
      },
    ])
    expect((await api.get(`${TEMPLATES}/${a}`)).body).toEqual(first)
    const unreviewed = { review_status: null, is_on_review: false, _embedded: { reviews: [] } }
    expect((await api.get(`${TEMPLATES}/${b}?with=reviews`)).body).toEqual({ ...second, ...unreviewed })
    expect((await api.get(`${TEMPLATES}?with=reviews`)).body._embedded.chat_templates).toEqual([
      { ...first, ...unreviewed },
      { ...second, ...unreviewed },
    ])
  })

  test('is found by its external id and by a part of its name, in pages', async () => {
    const w = await world()
    const { api } = await integration(w)
    expect((await api.get(TEMPLATES)).status).toBe(204)
    const drafts = ['Äpfel', 'Birnen', 'Apfelmus'].map((name, i) => ({
      name,
      content: name,
      external_id: `e-${i}`,
    }))
    await api.post(TEMPLATES, drafts)
    const found = async (query: string) => {
      const { status, body } = await api.get(`${TEMPLATES}?${query}`)
      return status === 204 ? [] : body._embedded.chat_templates.map(({ name }: { name: string }) => name)
    }
    expect(await found('')).toEqual(['Äpfel', 'Birnen', 'Apfelmus'])
    expect(await found('filter[external_id]=e-1')).toEqual(['Birnen'])
    expect(await found('filter[external_id][]=e-2&filter[external_id][]=e-0')).toEqual(['Äpfel', 'Apfelmus'])
    expect(await found('filter[external_id]=e-9')).toEqual([])
    expect(await found('query=PFEL')).toEqual(['Äpfel', 'Apfelmus'])
    const { body } = await api.get(`${TEMPLATES}?limit=2`)
    expect([body._total_items, body._page, body._page_count]).toEqual([3, 1, 2])
    const next = await api.get(body._links.next.href)
    expect(next.body._embedded.chat_templates.map(({ name }: { name: string }) => name)).toEqual(['Apfelmus'])
    expect((await api.get(`${TEMPLATES}?limit=51`)).status).toBe(400)
  })

  test('is changed member by member, alone or in a batch', async () => {
    const w = await world()
    const { api } = await integration(w)
    const { body } = await api.post(TEMPLATES, [
      { name: 'A', content: 'a' },
      { name: 'B', content: 'b' },
    ])
    const [a, b] = body._embedded.chat_templates
    w.clock.advance(5)
    const answer = await api.patch(TEMPLATES, [
      { id: b.id, content: 'new', request_id: 'x' },
      { id: a.id, name: 'A', request_id: 7 },
    ])
    expect([answer.status, answer.body._embedded.chat_templates]).toEqual([
      200,
      [
        { ...b, content: 'new', updated_at: BEGINNING + 5, request_id: 'x' },
        { ...a, request_id: 7 },
      ],
    ])
    const one = await api.patch(`${TEMPLATES}/${a.id}`, { is_editable: true })
    const { request_id: _, ...alone } = a
    expect(one.body).toEqual({ ...alone, is_editable: true, updated_at: BEGINNING + 5 })
    expect((await api.delete(TEMPLATES, [{ id: a.id }])).status).toBe(204)
    expect((await api.delete(`${TEMPLATES}/${b.id}`)).status).toBe(204)
    expect((await api.get(TEMPLATES)).status).toBe(204)
    const { body: log } = await w.admin.browser.get('/web/audit?area=chats')
    expect(
      log.entries
        .slice(0, 6)
        .map(({ action, details }: { action: string; details: object }) => [action, details]),
    ).toEqual([
      ['template.removed', { id: b.id, name: 'B' }],
      ['template.removed', { id: a.id, name: 'A' }],
      ['template.changed', { id: a.id, name: 'A', changed: ['is_editable'] }],
      ['template.changed', { id: b.id, name: 'B', changed: ['content'] }],
      ['template.added', { id: b.id, name: 'B' }],
      ['template.added', { id: a.id, name: 'A' }],
    ])
  })

  test.each([
    ['without a name', { content: 'a' }, [['0', 'name', 'FieldMissing']]],
    ['with a blank content', { name: 'A', content: '  ' }, [['0', 'content', 'NotBlank']]],
    ['of an unknown type', { name: 'A', content: 'a', type: 'sms' }, [['0', 'type', 'NotSupportedChoice']]],
    [
      'with a button to nowhere',
      {
        name: 'A',
        content: 'a',
        buttons: [
          { type: 'url', text: 'x' },
          { type: 'url', text: 'x', url: 'mailto:a' },
        ],
      },
      [
        ['0', 'buttons.0.url', 'FieldMissing'],
        ['0', 'buttons.1.url', 'InvalidFormat'],
      ],
    ],
    [
      'with an unknown file',
      { name: 'A', content: 'a', attachment: { id: '00000000-0000-4000-8000-000000000000' } },
      [['0', 'attachment.id', 'NotSupportedChoice']],
    ],
    [
      'with a header without its file',
      { name: 'A', content: 'a', type: 'waba', waba_header_type: 'media' },
      [['0', 'attachment', 'FieldMissing']],
    ],
    [
      'with a long header',
      { name: 'A', content: 'a', waba_header: 'x'.repeat(61) },
      [['0', 'waba_header', 'TooLong']],
    ],
  ])('%s is refused without a trace', async (_what, draft, faults) => {
    const w = await world()
    const { api } = await integration(w)
    const { status, body } = await api.post(TEMPLATES, [draft, { name: 'Good', content: 'Good' }])
    expect([status, faultsOf(body)]).toEqual([400, faults])
    expect((await api.get(TEMPLATES)).status).toBe(204)
  })

  onEmbedded('of an unknown id is refused in a batch, and not found alone', async () => {
    const w = await world()
    const { api } = await integration(w)
    const { body } = await api.post(TEMPLATES, [{ name: 'A', content: 'a' }])
    const { id } = body._embedded.chat_templates[0]
    const batch = [
      { id, name: 'B' },
      { id: id + 1, name: 'B' },
    ]
    const refused = await api.patch(TEMPLATES, batch)
    expect([refused.status, faultsOf(refused.body)]).toEqual([400, [['1', 'id', 'NotSupportedChoice']]])
    expect((await api.delete(TEMPLATES, [{ id }, { id: id + 1 }])).status).toBe(400)
    for (const answer of [
      await api.get(`${TEMPLATES}/${id + 1}`),
      await api.patch(`${TEMPLATES}/${id + 1}`, { name: 'B' }),
      await api.delete(`${TEMPLATES}/${id + 1}`),
      await api.post(`${TEMPLATES}/${id + 1}/review`, {}),
    ])
      expect(answer.status).toBe(404)
    expect((await api.get(`${TEMPLATES}/${id}`)).body.name).toBe('A')
  })

  onEmbedded('over the limit of the account is 422', async () => {
    const w = await world()
    const { api } = await integration(w)
    const batch = Array.from({ length: 50 }, (_, i) => ({ name: `T${i}`, content: 'a' }))
    for (let i = 0; i < 20; i++) expect((await api.post(TEMPLATES, batch)).status).toBe(200)
    const { status, body } = await api.post(TEMPLATES, [{ name: 'One more', content: 'a' }])
    expect([status, body.type.split('#')[1]]).toEqual([422, 'template_limit'])
  })
})

describe('Templates of an integration (C16)', () => {
  test('are unknown to another integration and to other accounts', async () => {
    const w = await world()
    const { api } = await integration(w)
    const { api: other } = await integration(w)
    const { body } = await api.post(TEMPLATES, [{ name: 'A', content: 'a' }])
    const { id } = body._embedded.chat_templates[0]
    expect((await other.get(TEMPLATES)).status).toBe(204)
    expect((await other.get(`${TEMPLATES}/${id}`)).status).toBe(404)
    expect((await other.delete(`${TEMPLATES}/${id}`)).status).toBe(404)
    const stranger = await w.addPerson({ account: await w.addAccount('other'), is_admin: true })
    expect((await stranger.browser.get(`${HERE}/${id}`)).status).toBe(404)
  })

  test('are seen by everybody in the application, and changed there only if they are editable', async () => {
    const w = await world()
    const { api } = await integration(w)
    const { body } = await api.post(TEMPLATES, [{ name: 'A', content: 'a' }])
    const { id } = body._embedded.chat_templates[0]
    const person = await w.addPerson({ name: 'Eva' })
    expect((await person.browser.get(`${HERE}/${id}`)).body.name).toBe('A')
    expect((await person.browser.patch(`${HERE}/${id}`, { name: 'B' })).status).toBe(403)
    for (const answer of [
      await w.admin.browser.patch(`${HERE}/${id}`, { name: 'B' }),
      await w.admin.browser.delete(`${HERE}/${id}`),
    ])
      expect([answer.status, answer.body.type.split('#')[1]]).toEqual([403, 'template_of_integration'])
    await api.patch(`${TEMPLATES}/${id}`, { is_editable: true })
    expect((await w.admin.browser.patch(`${HERE}/${id}`, { name: 'B' })).body.name).toBe('B')
  })

  test('do not include those of people, who can change theirs', async () => {
    const w = await world()
    const { api } = await integration(w)
    const { body } = await w.admin.browser.post(HERE, [{ name: 'Ours', content: 'a' }])
    const [{ id, is_editable }] = body._embedded.chat_templates
    expect(is_editable).toBe(true)
    expect((await w.admin.browser.patch(`${HERE}/${id}`, { name: 'Mine' })).status).toBe(200)
    expect((await api.get(TEMPLATES)).status).toBe(204)
    expect((await w.admin.browser.delete(`${HERE}/${id}`)).status).toBe(204)
  })
})

test('the file of a template is seen by everybody who sees the template, and stays when it is deleted', async () => {
  const w = await world()
  const file = await upload(w.admin.browser, 'bytes', { file_name: 'offer.txt' })
  const person = await w.addPerson({ name: 'Eva' })
  const read = () => person.browser.get(`/web/drive/v1.0/files/${file.uuid}`)
  expect((await read()).status).toBe(404)
  const { body } = await w.admin.browser.post(HERE, [
    { name: 'A', content: 'a', attachment: { id: file.uuid } },
  ])
  expect((await read()).status).toBe(200)
  await w.admin.browser.delete(`${HERE}/${body._embedded.chat_templates[0].id}`)
  expect((await read()).status).toBe(404)
  expect((await w.admin.browser.get(`/web/drive/v1.0/files/${file.uuid}`)).status).toBe(200)
})
