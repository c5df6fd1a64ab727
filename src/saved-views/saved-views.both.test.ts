import { describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { world } from '../../test/world.ts'
import { MAX_OWN_VIEWS, MAX_SHARED_VIEWS } from './saved-views.ts'
import type { View } from './schemas.ts'

const VIEWS = '/web/views'
const draft = { page: 'leads', name: 'Large ones', search: 'filter[price][from]=1000&order[price]=desc' }

async function add(browser: Client, given: object = {}): Promise<View> {
  const answer = await browser.post(VIEWS, { ...draft, ...given })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body
}
const seen = async (browser: Client): Promise<View[]> => (await browser.get(VIEWS)).body.views
const namesOf = async (browser: Client) => (await seen(browser)).map(({ name }) => name)

describe('A person', () => {
  test('saves a list, changes it and deletes it', async () => {
    const w = await world()
    const { browser, id: me } = await w.addPerson()
    expect(await seen(browser)).toEqual([])
    const answer = await browser.post(VIEWS, { ...draft, name: '  Large ones ' })
    const { id } = answer.body
    const view = { id, ...draft, is_shared: false, created_by: me }
    expect([answer.status, answer.body]).toEqual([201, view])
    expect(await seen(browser)).toEqual([view])
    const changed = await browser.patch(`${VIEWS}/${id}`, { search: '', name: 'All' })
    expect([changed.status, changed.body]).toEqual([200, { ...view, search: '', name: 'All' }])
    const gone = await browser.delete(`${VIEWS}/${id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect(await seen(browser)).toEqual([])
  })

  onEmbedded('changes nothing with an empty patch', async () => {
    const w = await world()
    const view = await add(w.admin.browser)
    expect((await w.admin.browser.patch(`${VIEWS}/${view.id}`, {})).body).toEqual(view)
  })

  test('can have views of every list', async () => {
    const { admin } = await world()
    const pages = ['leads', 'contacts', 'companies', 'customers', 'tasks', 'events', 'lists/12']
    for (const page of pages) await add(admin.browser, { page })
    expect((await seen(admin.browser)).map(({ page }) => page)).toEqual(pages)
  })

  onEmbedded('can have a limited number of views', async () => {
    const w = await world()
    for (let i = 0; i < MAX_OWN_VIEWS; i++) await add(w.admin.browser, { name: `View ${i}` })
    const refused = await w.admin.browser.post(VIEWS, draft)
    expect([refused.status, refused.body.type]).toEqual([409, expect.stringMatching(/#view_limit$/)])
    await add((await w.addPerson()).browser)
    const [first] = await seen(w.admin.browser)
    await w.admin.browser.delete(`${VIEWS}/${first?.id}`)
    await add(w.admin.browser)
  })
})

describe('A private view', () => {
  test('is invisible to everybody else', async () => {
    const w = await world()
    const ann = await w.addPerson()
    const { id } = await add(ann.browser)
    for (const { browser } of [w.admin, await w.addPerson({ name: 'Bob' })]) {
      expect(await seen(browser)).toEqual([])
      expect((await browser.patch(`${VIEWS}/${id}`, { name: 'Mine' })).status).toBe(404)
      expect((await browser.delete(`${VIEWS}/${id}`)).status).toBe(404)
    }
    expect(await namesOf(ann.browser)).toEqual([draft.name])
  })

  onEmbedded('of another account is not found', async () => {
    const w = await world()
    const other = await w.addAccount('other')
    const stranger = await w.addPerson({ account: other, is_admin: true })
    const { id } = await add(w.admin.browser, { is_shared: true })
    expect(await seen(stranger.browser)).toEqual([])
    expect((await stranger.browser.patch(`${VIEWS}/${id}`, { name: 'Mine' })).status).toBe(404)
    expect((await stranger.browser.delete(`${VIEWS}/${id}`)).status).toBe(404)
  })
})

describe('A shared view', () => {
  test('is created and changed by administrators and visible to everybody', async () => {
    const w = await world()
    const ann = await w.addPerson()
    const refused = await ann.browser.post(VIEWS, { ...draft, is_shared: true })
    expect([refused.status, await seen(ann.browser)]).toEqual([403, []])
    const shared = await add(w.admin.browser, { is_shared: true })
    expect(await seen(ann.browser)).toEqual([shared])
    expect((await ann.browser.patch(`${VIEWS}/${shared.id}`, { name: 'Mine' })).status).toBe(403)
    expect((await ann.browser.delete(`${VIEWS}/${shared.id}`)).status).toBe(403)
    const second = await w.addPerson({ name: 'Eve', is_admin: true })
    expect((await second.browser.patch(`${VIEWS}/${shared.id}`, { name: 'Ours' })).status).toBe(200)
    expect(await namesOf(ann.browser)).toEqual(['Ours'])
    expect((await second.browser.delete(`${VIEWS}/${shared.id}`)).status).toBe(204)
    expect(await namesOf(ann.browser)).toEqual([])
  })

  test('is shared later only by an administrator, who can make it private again', async () => {
    const w = await world()
    const ann = await w.addPerson()
    const own = await add(ann.browser)
    expect((await ann.browser.patch(`${VIEWS}/${own.id}`, { is_shared: true })).status).toBe(403)
    const { id } = await add(w.admin.browser, { name: 'Ours' })
    await w.admin.browser.patch(`${VIEWS}/${id}`, { is_shared: true })
    expect(await namesOf(ann.browser)).toEqual([draft.name, 'Ours'])
    const second = await w.addPerson({ name: 'Eve', is_admin: true })
    await second.browser.patch(`${VIEWS}/${id}`, { is_shared: false })
    expect(await namesOf(ann.browser)).toEqual([draft.name])
    expect(await namesOf(w.admin.browser)).toEqual([])
    expect(await namesOf(second.browser)).toEqual(['Ours'])
  })

  onEmbedded('counts towards the limit of the account', async () => {
    const w = await world()
    for (let i = 0; i < MAX_SHARED_VIEWS; i++) await add(w.admin.browser, { is_shared: true })
    const refused = await w.admin.browser.post(VIEWS, { ...draft, is_shared: true })
    expect([refused.status, refused.body.type]).toEqual([409, expect.stringMatching(/#view_limit$/)])
    const { id } = await add(w.admin.browser)
    expect((await w.admin.browser.patch(`${VIEWS}/${id}`, { is_shared: true })).status).toBe(409)
  })
})

describe('Invalid views', () => {
  test.each([
    ['an unknown page', { page: 'invoices' }],
    ['a list without its id', { page: 'lists/' }],
    ['no name', { name: '  ' }],
    ['a name of 101 letters', { name: 'x'.repeat(101) }],
    ['a search of 8001 letters', { search: 'x'.repeat(8_001) }],
    ['a search over two lines', { search: 'query=a\nb' }],
    ['sharing that is not a boolean', { is_shared: 'yes' }],
  ])('%s', async (_what, given) => {
    const w = await world()
    const answer = await w.admin.browser.post(VIEWS, { ...draft, ...given })
    expect([answer.status, await seen(w.admin.browser)]).toEqual([400, []])
  })

  onEmbedded('that are missing are not found, and require a session', async () => {
    const w = await world()
    const { browser } = w.admin
    for (const id of ['0', '999', '9007199254740991'])
      expect((await browser.patch(`${VIEWS}/${id}`, { name: 'x' })).status).toBe(404)
    expect((await browser.patch(`${VIEWS}/x`, { name: 'x' })).status).toBe(404)
    expect((await w.stranger.get(VIEWS)).status).toBe(401)
    expect((await browser.as({ csrf_token: 'wrong' }).post(VIEWS, draft)).status).toBe(403)
  })

  test('concurrent requests never exceed the limit', async () => {
    const w = await world()
    for (let i = 1; i < MAX_OWN_VIEWS; i++) await add(w.admin.browser)
    const answers = await Promise.all([1, 2, 3].map(() => w.admin.browser.post(VIEWS, draft)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect((await seen(w.admin.browser)).length).toBe(MAX_OWN_VIEWS)
  })
})
