import { describe, expect, test } from 'vitest'
import { connected } from '../../../test/fixtures/chats.ts'
import { UNSORTED } from '../../../test/fixtures/incoming-leads.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { addPipelines, mainPipeline, wholesale } from '../../../test/fixtures/pipelines.ts'
import { customer, textPush } from '../../../test/fixtures/pushes.ts'
import { world } from '../../../test/world.ts'

/** A channel of an integration with a pipeline of its own for one of its sources. */
async function lines() {
  const w = await world()
  const { browser } = w.admin
  const shop = await register(w.admin, { name: 'Shop', multiple_sources: true })
  const api = w.stranger.as({ token: (await connect(w.stranger, shop)).access_token })
  const here = await connected(w, { protocol: 'live', integration_id: shop.client_id })
  const [{ id: repairs }] = await addPipelines(w, wholesale)
  const addSources = async (drafts: object[]): Promise<number[]> =>
    (await api.post('/api/v4/sources', drafts)).body._embedded.sources.map(({ id }: { id: number }) => id)
  /** Writes as a customer with this name. */
  const write = (name: string, external_id?: string) =>
    here.push(
      textPush(crypto.randomUUID(), {
        conversation_id: name,
        sender: customer({ id: name, name }),
        ...(external_id && { source: { external_id } }),
      }),
    )
  const leads = async () =>
    (await browser.get('/web/v4/leads?order[id]=asc')).body._embedded.leads.map(
      (lead: { pipeline_id: number; source_id: number | null }) => [lead.pipeline_id, lead.source_id],
    )
  return { w, browser, api, repairs, addSources, write, leads }
}

describe('The lead of a new chat', () => {
  test('is in the pipeline of the source that the push names, and has that source', async () => {
    const { w, repairs, addSources, write, leads } = await lines()
    const [plain, fix] = await addSources([
      { name: 'Sales', external_id: 'sales' },
      { name: 'Repairs', external_id: 'fix', pipeline_id: repairs },
    ])
    for (const [name, source] of [['ann', 'fix'], ['bob', 'sales'], ['cy', 'nobody'], ['di']] as const)
      expect((await write(name, source)).status).toBe(200)
    const { id: main } = await mainPipeline(w)
    expect(await leads()).toEqual([
      [repairs, fix],
      [main, plain],
      [main, null],
      [main, null],
    ])
  })

  test('is of the default source if the push names none, or an unknown one', async () => {
    const { repairs, addSources, write, leads } = await lines()
    const [fix] = await addSources([
      { name: 'Repairs', external_id: 'fix', pipeline_id: repairs, default: true },
    ])
    await write('ann')
    await write('bob', 'nobody')
    expect(await leads()).toEqual([
      [repairs, fix],
      [repairs, fix],
    ])
  })

  test('waits in the incoming stage of that pipeline', async () => {
    const { browser, repairs, addSources, write } = await lines()
    await addSources([{ name: 'Repairs', external_id: 'fix', pipeline_id: repairs }])
    await browser.put('/web/new-chats', { are_chats_unsorted: true })
    await write('ann', 'fix')
    const { body } = await browser.get(UNSORTED)
    expect(body._embedded.unsorted).toMatchObject([{ category: 'chats', pipeline_id: repairs }])
  })
})

test('A chat has the source that the provider named last', async () => {
  const { api, addSources, write } = await lines()
  const [first, second] = await addSources([
    { name: 'One', external_id: 'one' },
    { name: 'Two', external_id: 'two' },
  ])
  const source = async () => (await api.get('/api/v4/talks')).body._embedded.talks[0].source_id
  const seen: unknown[] = []
  for (const name of [undefined, 'one', undefined, 'two']) {
    await write('ann', name)
    seen.push(await source())
  }
  expect(seen).toEqual([null, first, first, second])
})
