import { expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { type World, world } from '../../../test/world.ts'

const TEMPLATES = '/api/v4/chats/templates'

async function waba(w: World, sources = 0) {
  const shop = await register(w.admin, { name: 'Shop', multiple_sources: true })
  const api = w.stranger.as({ token: (await connect(w.stranger, shop)).access_token })
  const drafts = Array.from({ length: sources }, (_, i) => ({ name: `Line ${i}`, external_id: `line-${i}` }))
  const added = sources > 0 ? (await api.post('/api/v4/sources', drafts)).body._embedded.sources : []
  const { body } = await api.post(TEMPLATES, [{ name: 'Order', content: 'Hello', type: 'waba' }])
  const { id } = body._embedded.chat_templates[0]
  const read = async () => (await api.get(`${TEMPLATES}/${id}?with=reviews`)).body
  return { api, id, read, sources: added.map((source: { id: number }) => source.id) }
}

test('a template is reviewed for each source, and its status is the worst of them', async () => {
  const w = await world()
  const { api, id, read, sources } = await waba(w, 2)
  const { status, body } = await api.post(`${TEMPLATES}/${id}/review`, {})
  const reviews = body._embedded.reviews
  expect([status, reviews]).toEqual([
    200,
    sources.map((source_id: number, i: number) => ({
      id: reviews[i].id,
      source_id,
      status: 'review',
      reject_reason: '',
    })),
  ])
  const decide = (n: number, result: object) => api.post(`${TEMPLATES}/${id}/review/${reviews[n].id}`, result)
  const state = async () => {
    const { review_status, is_on_review } = await read()
    return [review_status, is_on_review]
  }
  expect(await state()).toEqual(['review', true])
  const decided = await decide(0, { status: 'approved' })
  expect([decided.status, decided.body]).toEqual([
    200,
    { id: reviews[0].id, source_id: sources[0], status: 'approved', reject_reason: '' },
  ])
  expect(await state()).toEqual(['review', true])
  await decide(1, { status: 'rejected', reject_reason: 'Too loud' })
  expect(await state()).toEqual(['rejected', false])
  await decide(1, { status: 'paused' })
  expect(await state()).toEqual(['paused', false])
  await decide(1, { status: 'approved' })
  expect(await state()).toEqual(['approved', false])
  expect((await read())._embedded.reviews.map((one: { reject_reason: string }) => one.reject_reason)).toEqual(
    ['', ''],
  )
})

test('a review that is repeated while it waits changes nothing, and a later one opens the same reviews again', async () => {
  const w = await world()
  const { api, id } = await waba(w)
  const send = async () => (await api.post(`${TEMPLATES}/${id}/review`)).body._embedded.reviews
  const [review] = await send()
  expect(review.source_id).toBeNull()
  expect(await send()).toEqual([review])
  await api.post(`${TEMPLATES}/${id}/review/${review.id}`, { status: 'rejected', reject_reason: 'No' })
  expect(await send()).toEqual([review])
  const { body } = await w.admin.browser.get('/web/audit?area=chats')
  const sent = body.entries.filter(({ action }: { action: string }) => action === 'template.sent_for_review')
  expect(sent.length).toBe(2)
})

test('a template of WhatsApp is a draft until it is sent for review', async () => {
  const w = await world()
  const { api, id, read } = await waba(w)
  expect((await api.patch(`${TEMPLATES}/${id}`, { content: 'Good day' })).status).toBe(200)
  await api.post(`${TEMPLATES}/${id}/review`, {})
  const { status, body } = await api.patch(`${TEMPLATES}/${id}`, { content: 'Hi' })
  expect([status, body['validation-errors'][0].errors[0].path]).toEqual([400, 'id'])
  expect((await read()).content).toBe('Good day')
  expect((await api.delete(`${TEMPLATES}/${id}`)).status).toBe(204)
})

onEmbedded('what cannot be reviewed or decided is refused', async () => {
  const w = await world()
  const { api, id } = await waba(w)
  const { body } = await api.post(TEMPLATES, [{ name: 'Plain', content: 'Hello' }])
  const plain = body._embedded.chat_templates[0].id
  const refused = await api.post(`${TEMPLATES}/${plain}/review`, {})
  expect([refused.status, refused.body['validation-errors'][0].errors[0].path]).toEqual([400, 'type'])
  const [review] = (await api.post(`${TEMPLATES}/${id}/review`, {})).body._embedded.reviews
  const decide = (of: number, review_id: number, result: object) =>
    api.post(`${TEMPLATES}/${of}/review/${review_id}`, result)
  expect((await decide(id, review.id + 1, { status: 'approved' })).status).toBe(404)
  expect((await decide(plain, review.id, { status: 'approved' })).status).toBe(404)
  for (const result of [{}, { status: 'review' }, { status: 'rejected', reject_reason: 'x'.repeat(65_536) }])
    expect((await decide(id, review.id, result)).status).toBe(400)
})
