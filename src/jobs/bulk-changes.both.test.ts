import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { moved } from '../../test/fixtures/jobs.ts'
import { add, addAll, log } from '../../test/fixtures/records.ts'
import { type World, world } from '../../test/world.ts'

/** Starts a bulk change, runs it, and returns the job. */
async function changed({ app, admin }: World, asked: object) {
  const answer = await admin.browser.post('/web/v4/jobs/bulk_changes', asked)
  if (answer.status !== 200) return answer
  expect(answer.body.state).toBe('waiting')
  await app.runner.runDue()
  return admin.browser.get(`/web/v4/jobs/${answer.body.id}`)
}

const drafts = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `Lead ${i}`, price: i }))

describe('A bulk change', () => {
  test('moves everything that a search finds at its start, and can be undone', async () => {
    const here = await world()
    const { browser } = here.admin
    const eve = await here.addPerson({ name: 'Eve' })
    const ids = await addAll(browser, 'leads', drafts(120))
    const [main] = (await browser.get('/web/v4/leads/pipelines')).body._embedded.pipelines
    const stage = main._embedded.statuses.filter(({ type }: { type: number }) => type === 0)[2]
    const { body } = await changed(here, {
      entity_type: 'leads',
      search: 'filter[price][from]=20&filter[price][to]=119',
      changes: {
        status: { pipeline_id: main.id, status_id: stage.id },
        responsible_user_id: eve.id,
        tags_to_add: ['moved'],
      },
    })
    expect(body).toMatchObject({
      state: 'done',
      total: 100,
      done: 100,
      changed: 100,
      failed: 0,
      can_undo: true,
    })
    const { leads } = (await browser.get(`/web/v4/leads?limit=250&filter[responsible_user_id]=${eve.id}`))
      .body._embedded
    expect(leads).toHaveLength(100)
    expect(leads[0]).toMatchObject({ status_id: stage.id, _embedded: { tags: [{ name: 'moved' }] } })
    const events = await log(here.ctx, { entity_id: ids[20] as number })
    expect(events.map(({ type }) => type)).toEqual([
      'lead_added',
      'lead_status_changed',
      'entity_responsible_changed',
      'entity_tag_added',
    ])
    expect(await moved(here, browser, body.id, 'undo')).toMatchObject({
      state: 'undone',
      undone: 100,
      kept: 0,
    })
    expect(
      (await browser.get(`/web/v4/leads?filter[responsible_user_id]=${eve.id}`)).body?._embedded?.leads ?? [],
    ).toEqual([])
  })

  test('deletes records and restores them from the trash', async () => {
    const here = await world()
    const { browser } = here.admin
    const ids = await addAll(browser, 'contacts', drafts(60))
    const { body } = await changed(here, { entity_type: 'contacts', ids, changes: { delete: true } })
    expect(body).toMatchObject({ state: 'done', changed: 60 })
    const count = async () =>
      (await browser.get('/web/v4/contacts?limit=250')).body?._embedded?.contacts?.length ?? 0
    expect(await count()).toBe(0)
    expect(await moved(here, browser, body.id, 'undo')).toMatchObject({ undone: 60, kept: 0 })
    expect(await count()).toBe(60)
  })

  test('of an integration ends when the integration is disabled', async () => {
    const here = await world()
    const { browser } = here.admin
    const shop = await register(here.admin)
    const own = here.stranger.as({ token: (await connect(here.stranger, shop)).access_token })
    const ids = await addAll(browser, 'leads', drafts(2))
    const asked = { entity_type: 'leads', ids, changes: { delete: true } }
    const started = await own.post('/api/v4/jobs/bulk_changes', asked)
    expect(started.body.state).toBe('waiting')
    await browser.post(`/web/installations/${shop.client_id}/disable`)
    await here.app.runner.runDue()
    const job = (await browser.get(`/web/v4/jobs/${started.body.id}`)).body
    expect(job).toMatchObject({ state: 'failed', error: 'forbidden', changed: 0 })
    expect((await browser.get('/web/v4/leads')).body._embedded.leads).toHaveLength(2)
  })

  test('deletes only elements of its list', async () => {
    const here = await world()
    const { browser } = here.admin
    const [one, two] = await addAll(browser, 'catalogs', [{ name: 'Goods' }, { name: 'Bills' }])
    const good = await add(browser, `catalogs/${one}/elements`, { name: 'Tea' })
    const bill = await add(browser, `catalogs/${two}/elements`, { name: 'Bill' })
    const asked = {
      entity_type: 'catalog_elements',
      catalog_id: one,
      ids: [good, bill],
      changes: { delete: true },
    }
    const { body } = await changed(here, asked)
    expect(body).toMatchObject({ changed: 1, failed: 1 })
    expect((await browser.get(`/web/v4/catalogs/${two}/elements/${bill}`)).status).toBe(200)
    expect(await moved(here, browser, body.id, 'undo')).toMatchObject({ undone: 1 })
  })

  test('moves customers between their stages', async () => {
    const here = await world()
    const { browser } = here.admin
    await browser.patch('/web/v4/customers/mode', { mode: 'segments', is_enabled: true })
    const id = await add(browser, 'customers', { name: 'Carl' })
    const { statuses } = (await browser.get('/web/v4/customers/statuses')).body._embedded
    const other = statuses.at(-1).id
    const { body } = await changed(here, {
      entity_type: 'customers',
      ids: [id],
      changes: { status: { status_id: other } },
    })
    expect(body).toMatchObject({ changed: 1 })
    expect((await browser.get(`/web/v4/customers/${id}`)).body.status_id).toBe(other)
  })

  test('skips records that already match and continues after a refusal', async () => {
    const here = await world()
    const { browser } = here.admin
    const [one, two, three] = await addAll(browser, 'leads', drafts(3))
    await browser.delete(`/web/v4/leads/${two}`)
    const asked = {
      entity_type: 'leads',
      ids: [one, two, three],
      changes: { responsible_user_id: here.admin.id },
    }
    expect((await changed(here, asked)).body).toMatchObject({ changed: 0, skipped: 2, failed: 1 })
  })

  onEmbedded.each<[string, object, string]>([
    ['neither ids nor a search', { changes: { delete: true } }, 'ids'],
    ['both', { ids: [1], search: '', changes: { delete: true } }, 'ids'],
    ['no change', { ids: [1], changes: {} }, 'changes'],
    ['a deletion and more', { ids: [1], changes: { delete: true, tags_to_add: ['a'] } }, 'changes.delete'],
    [
      'a stage for contacts',
      { entity_type: 'contacts', ids: [1], changes: { status: { status_id: 1 } } },
      'changes.status',
    ],
    [
      'elements without a list',
      { entity_type: 'catalog_elements', ids: [1], changes: { delete: true } },
      'catalog_id',
    ],
    ['an empty list of ids', { ids: [], changes: { delete: true } }, 'ids'],
  ])('is refused with %s', async (_name, asked, path) => {
    const here = await world()
    const { status, body } = await changed(here, { entity_type: 'leads', ...asked })
    expect([status, body['validation-errors'][0].errors[0].path]).toEqual([400, path])
  })

  onEmbedded('is refused with an invalid search', async () => {
    const here = await world()
    const [lead] = await addAll(here.admin.browser, 'leads', drafts(1))
    const ask = async (search: string, entity_type = 'leads') => {
      const catalog = entity_type === 'catalog_elements' ? { catalog_id: 1 } : {}
      const asked = { entity_type, ...catalog, search, changes: { delete: true } }
      return (await changed(here, asked)).status
    }
    // A misspelt filter does not select everything.
    for (const search of ['filter[price]=many', 'filter[pric][from]=5', 'filter=5', 'querry=Ann', 'limit=1'])
      expect([search, await ask(search)]).toEqual([search, 400])
    expect(await ask('filter[price][from]=5', 'catalog_elements')).toBe(400)
    expect(await ask('filter[statuses][0][status_id]=142&order[id]=asc&query=zz')).toBe(200)
    expect((await here.admin.browser.get(`/web/v4/leads/${lead}`)).status).toBe(200)
  })
})
