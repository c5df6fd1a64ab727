import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../../test/client.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import { line } from '../../test/fixtures/conversations.ts'
import { upload } from '../../test/fixtures/files.ts'
import { add } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'
import { completeRights, type Rights, type Width } from '../accounts/members/rights.ts'

const AT = '/web/drive/v1.0/files'
const NO_FILE = [404, 'File not found.']
const problem = ({ status, body }: Answer) => [status, body.detail]
const own = (view: Width) => ({ view, edit: view, add: 'A', delete: 'D', export: 'D' }) as const

/**
 * Files of the administrator on leads and contacts of this person and of others, in a field, in a chat and without
 * any use; and one that the person uploaded.
 */
async function shelf(rights: Partial<Rights>) {
  const all = await world()
  const { browser } = all.admin
  const me = await all.addPerson({ name: 'Me', rights: completeRights(rights) })
  const files: Record<
    string,
    { uuid: string; version_uuid: string; _links: { download: { href: string } } }
  > = {}
  const put = async (name: string, by: Client = browser) => {
    const file = await upload(by, name, { file_name: name })
    files[name] = file
    return file as (typeof files)[string] & object
  }
  const card = async (name: string, type: 'leads' | 'contacts', responsible_user_id: number) => {
    const id = await add(browser, type, { responsible_user_id })
    const { uuid } = await put(name)
    await browser.put(`/web/v4/${type}/${id}/files`, [{ file_uuid: uuid }])
    return id
  }
  const mine = await card('my lead', 'leads', me.id)
  const theirs = await card('their lead', 'leads', all.admin.id)
  await card('my contact', 'contacts', me.id)
  await card('their contact', 'contacts', all.admin.id)
  const fields = await browser.post('/web/v4/leads/custom_fields', [{ name: 'Plan', type: 'file' }])
  const field_id = fields.body._embedded.custom_fields[0].id
  for (const [name, id] of [
    ['my field', mine],
    ['their field', theirs],
  ] as const) {
    const { uuid, version_uuid } = await put(name)
    const value = { file_uuid: uuid, version_uuid, file_name: name }
    const patch = { custom_fields_values: [{ field_id, values: [{ value }] }] }
    const answer = await browser.patch(`/web/v4/leads/${id}`, patch)
    if (answer.status !== 200) throw new Error(answer.text)
  }
  const open = await line(all)
  for (const [name, responsible_user_id] of [
    ['my chat', me.id],
    ['their chat', all.admin.id],
  ] as const) {
    const id = await open.write(name)
    const { lead_id } = (await browser.get(`/web/v4/chats/${id}`)).body
    await browser.patch(`/web/v4/leads/${lead_id}`, { responsible_user_id })
    await browser.post(`/web/v4/chats/${id}/messages`, { file_uuid: (await put(name)).uuid })
  }
  await put('on nothing')
  await put('my own', me.browser)
  const uuid = (name: string) => files[name]?.uuid as string
  return { ...all, browser, me: me.browser, files, uuid, mine }
}

/** The names in the list. Reading each file by itself gives the same result. */
async function seenBy(caller: Client, files: Awaited<ReturnType<typeof shelf>>['files']): Promise<string[]> {
  const listed: string[] = []
  let url: string | undefined = `${AT}?limit=3`
  while (url) {
    const answer: Answer = await caller.get(url)
    listed.push(...answer.body._embedded.files.map(({ name }: { name: string }) => name))
    url = answer.body._links.next?.href
  }
  for (const [name, { uuid, version_uuid }] of Object.entries(files)) {
    const at = `${AT}/${uuid}`
    const version = `${at}/versions/${version_uuid}`
    for (const path of [at, `${at}/download`, `${at}/versions`, version, `${version}/download`]) {
      const answer = await caller.get(path)
      if (listed.includes(name)) expect([path, answer.status]).toEqual([path, 200])
      else expect([path, ...problem(answer)]).toEqual([path, ...NO_FILE])
    }
  }
  return listed.sort()
}

const everything = [
  ...['my chat', 'my contact', 'my field', 'my lead', 'my own', 'on nothing'],
  ...['their chat', 'their contact', 'their field', 'their lead'],
]

describe('A file is visible', () => {
  test.each<[string, Partial<Rights>, string[]]>([
    ['nothing', {}, ['my own']],
    ['their own leads', { leads: own('M') }, ['my chat', 'my field', 'my lead', 'my own']],
    ['their own contacts', { contacts: own('M') }, ['my contact', 'my own']],
    [
      'all leads and their own contacts',
      { leads: own('A'), contacts: own('M') },
      everything.filter((name) => name !== 'on nothing' && name !== 'their contact'),
    ],
    [
      'all leads and contacts',
      { leads: own('A'), contacts: own('A') },
      everything.filter((name) => name !== 'on nothing'),
    ],
  ])(
    'to a person who can see %s: on their cards, in their chats, and their own uploads',
    async (_who, rights, seen) => {
      const { me, files } = await shelf(rights)
      expect(await seenBy(me, files)).toEqual(seen)
    },
  )

  onEmbedded('to administrators everywhere', async () => {
    const { browser, files } = await shelf({})
    expect(await seenBy(browser, files)).toEqual(everything)
  })

  test('until it is removed from the card; existing links still work', async () => {
    const { browser, me, files, uuid, mine, stranger } = await shelf({ leads: own('M') })
    const { href } = (await me.get(`${AT}/${uuid('my lead')}`)).body._links.download
    await browser.delete(`/web/v4/leads/${mine}/files`, [{ file_uuid: uuid('my lead') }])
    expect(await seenBy(me, files)).toEqual(['my chat', 'my field', 'my own'])
    expect((await stranger.get(new URL(href).pathname)).text).toBe('my lead')
  })

  test('on the card of the note after an edit, and not on the previous one', async () => {
    const { browser, me, files, uuid, mine } = await shelf({ leads: own('M') })
    const { body } = await browser.get(`/web/v4/leads/${mine}/files`)
    const note = body._embedded.files[0].id
    const params = { file_uuid: uuid('on nothing') }
    const edited = await browser.patch(`/web/v4/leads/notes/${note}`, { params })
    expect(edited.status).toBe(200)
    expect(await seenBy(me, files)).toEqual(['my chat', 'my field', 'my own', 'on nothing'])
  })

  onEmbedded('and otherwise cannot be changed, as if it did not exist', async () => {
    const { me, browser, uuid } = await shelf({ leads: own('M') })
    const before = (await browser.get(AT)).body
    const hidden = uuid('their lead')
    expect(problem(await me.patch(`${AT}/${hidden}`, { name: 'x' }))).toEqual(NO_FILE)
    const none = [400, '1 NotSupportedChoice uuid']
    const both = [{ uuid: uuid('my own') }, { uuid: hidden }]
    expect(faultsOf(await me.delete(AT, both))).toEqual(none)
    expect(faultsOf(await me.post(`${AT}/restore`, both))).toEqual(none)
    const draft = { file_name: 'a', file_size: 1, file_uuid: hidden }
    expect(faultsOf(await me.post('/web/drive/v1.0/sessions', draft))).toEqual([
      400,
      '0 NotSupportedChoice file_uuid',
    ])
    // A visible file of somebody else is forbidden.
    const shown = uuid('my lead')
    for (const refused of [
      await me.patch(`${AT}/${shown}`, { name: 'x' }),
      await me.delete(AT, [{ uuid: shown }]),
      await me.post('/web/drive/v1.0/sessions', { ...draft, file_uuid: shown }),
    ])
      expect(problem(refused)).toEqual([403, 'Insufficient rights to call this method'])
    expect((await browser.get(AT)).body).toEqual(before)
  })
})
