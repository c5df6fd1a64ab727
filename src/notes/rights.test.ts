import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../../test/client.ts'
import { faultsOf } from '../../test/faults.ts'
import { add, addAll, traces } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'
import { completeRights, type Rights, type Width } from '../accounts/members/rights.ts'

const hello = { note_type: 'common', params: { text: 'Hello' } }
const patch = { params: { text: 'New' } }
const of = (view: Width, edit: Width = view) =>
  ({ view, edit, add: 'A', delete: edit, export: view }) as const
const problem = ({ status, body }: Answer) => [status, body.detail]
const FORBIDDEN = [403, 'Insufficient rights to call this method']
const NOT_FOUND = [404, 'Entity not found']

/** A person with these rights, and notes on leads: their own, one of their group, and one of somebody else. */
async function office(rights: Partial<Rights>) {
  const all = await world()
  const { admin, addPerson } = all
  const { browser } = admin
  const second = (await browser.post('/web/v4/groups', { name: 'Second' })).body.id
  const me = await addPerson({ name: 'Me', rights: completeRights(rights), group_id: second })
  const peer = await addPerson({ name: 'Peer', group_id: second })
  const lead = (responsible_user_id: number) => add(browser, 'leads', { responsible_user_id })
  const leads = { mine: await lead(me.id), peers: await lead(peer.id), theirs: await lead(admin.id) }
  const noteOn = (lead: number) => add(browser, `leads/${lead}/notes`, hello)
  const notes = {
    mine: await noteOn(leads.mine),
    peers: await noteOn(leads.peers),
    theirs: await noteOn(leads.theirs),
  }
  return { ...all, me: me.browser, leads, notes }
}
type Office = Awaited<ReturnType<typeof office>>
type Whose = keyof Office['leads']

/**
 * Whose notes a person can see: in the list of all, in the list of each record, and at their addresses. The three
 * agree.
 */
async function seenBy(caller: Client, { leads, notes }: Pick<Office, 'leads' | 'notes'>): Promise<string[]> {
  const { _embedded } = (await caller.get('/web/v4/leads/notes?filter[note_type]=common')).body
  const listed = _embedded.notes.map(({ id }: { id: number }) => id)
  const whose = (Object.keys(notes) as Whose[]).filter((who) => listed.includes(notes[who]))
  expect(listed.length).toBe(whose.length)
  for (const who of Object.keys(notes) as Whose[]) {
    const paths = [
      `leads/notes/${notes[who]}`,
      `leads/${leads[who]}/notes/${notes[who]}`,
      `leads/${leads[who]}/notes`,
      `leads/${leads[who]}/files`,
    ]
    for (const path of paths) {
      const answer = await caller.get(`/web/v4/${path}`)
      // The cards have no files.
      if (whose.includes(who)) expect(answer.status).toBe(path.endsWith('/files') ? 204 : 200)
      else expect(problem(answer)).toEqual(NOT_FOUND)
    }
  }
  return whose
}

describe('Visible notes', () => {
  test.each<[string, Partial<Rights>, Whose[]]>([
    ['of a person who cannot see leads', {}, []],
    ['of a person who sees their own leads', { leads: of('M') }, ['mine']],
    ['of a person who sees the leads of their group', { leads: of('G') }, ['mine', 'peers']],
    ['of a person who sees all leads', { leads: of('A', 'D') }, ['mine', 'peers', 'theirs']],
    ['of a person who sees all contacts', { contacts: of('A') }, []],
  ])('%s', async (_who, rights, whose) => {
    const all = await office(rights)
    expect(await seenBy(all.me, all)).toEqual(whose)
    expect(await seenBy(all.admin.browser, all)).toEqual(['mine', 'peers', 'theirs'])
  })

  test('include those of leads in a visible stage', async () => {
    const { admin, addPerson } = await world()
    const { browser } = admin
    const [{ id: pipeline_id, _embedded }] = (await browser.get('/web/v4/leads/pipelines')).body._embedded
      .pipelines
    const [, open, other] = _embedded.statuses.map(({ id }: { id: number }) => id)
    const stage = { view: 'A', edit: 'D', delete: 'D', export: 'D' } as const
    const me = await addPerson({
      rights: completeRights({
        status_rights: [{ entity_type: 'leads', pipeline_id, status_id: open, rights: stage }],
      }),
    })
    const [seen, hidden] = (await addAll(browser, 'leads', [
      { pipeline_id, status_id: open },
      { pipeline_id, status_id: other },
    ])) as [number, number]
    for (const lead of [seen, hidden]) await add(browser, `leads/${lead}/notes`, hello)
    const notes = (await me.browser.get('/web/v4/leads/notes')).body._embedded.notes
    expect(new Set(notes.map(({ entity_id }: { entity_id: number }) => entity_id))).toEqual(new Set([seen]))
    expect(problem(await me.browser.post(`/web/v4/leads/${seen}/notes`, [hello]))).toEqual(FORBIDDEN)
  })

  test('are hidden from everybody else and other accounts', async () => {
    const { notes, leads, stranger, addAccount, addPerson } = await office({})
    const far = (await addPerson({ account: await addAccount('other'), is_admin: true })).browser
    expect(await seenBy(far, { notes, leads })).toEqual([])
    for (const path of [
      'leads/notes',
      `leads/${leads.mine}/notes`,
      `leads/notes/${notes.mine}`,
      `leads/${leads.mine}/files`,
    ]) {
      expect((await stranger.get(`/web/v4/${path}`)).status).toBe(401)
      expect((await stranger.get(`/api/v4/${path}`)).status).toBe(401)
    }
  })

  test('fill the pages of a person who sees only their own, for each order and filter', async () => {
    const { admin, addPerson } = await world()
    const { browser } = admin
    const me = await addPerson({ rights: completeRights({ leads: of('M') }) })
    const [mine, theirs] = (await addAll(browser, 'leads', [{ responsible_user_id: me.id }, {}])) as [
      number,
      number,
    ]
    const draft = (i: number) => ({
      ...(i % 2 ? hello : { note_type: 'sms_in', params: { text: 'Hi', phone: '1' } }),
      entity_id: i % 3 === 0 ? mine : theirs,
      updated_at: 1_000 + ((i * 7) % 30),
    })
    const drafts = Array.from({ length: 60 }, (_, i) => draft(i))
    const ids = await addAll(browser, 'leads/notes', drafts)
    const own = new Set(ids.filter((_, i) => drafts[i]?.entity_id === mine))
    for (const query of [
      'filter[updated_at][to]=2000&order[id]=asc',
      'filter[updated_at][to]=2000&order[updated_at]=desc',
      'filter[note_type]=common,sms_in',
      `filter[entity_id]=${mine},${theirs}&filter[note_type]=common,sms_in`,
    ]) {
      const pages: number[][] = []
      let url: string | undefined = `/web/v4/leads/notes?limit=3&${query}`
      while (url) {
        const { body }: Answer = await me.browser.get(url)
        pages.push(body._embedded.notes.map(({ id }: { id: number }) => id))
        url = body._links.next?.href
      }
      expect(pages.map(({ length }) => length)).toEqual([3, 3, 3, 3, 3, 3, 2])
      expect(new Set(pages.flat())).toEqual(own)
    }
  })

  test('fill the pages of a person with many visible records, too', async () => {
    const { admin, addPerson } = await world()
    const { browser } = admin
    const me = await addPerson({ rights: completeRights({ leads: of('M') }) })
    const mine: number[] = []
    for (const many of [250, 250, 250, 250, 1])
      mine.push(...(await addAll(browser, 'leads', Array(many).fill({ responsible_user_id: me.id }))))
    const theirs = await add(browser, 'leads')
    await browser.post(`/web/v4/leads/${theirs}/notes`, Array(5).fill(hello))
    const ids = await addAll(
      browser,
      'leads/notes',
      [mine[0], theirs, mine[1000], theirs, mine[500]].map((entity_id) => ({ ...hello, entity_id })),
    )
    const own = ids.filter((_, i) => i % 2 === 0)
    const pageOf = async (url: string) => (await me.browser.get(url)).body
    const first = await pageOf('/web/v4/leads/notes?filter[note_type]=common&limit=2')
    const second = await pageOf(first._links.next.href)
    const shown = [first, second].map(({ _embedded }) => _embedded.notes.map(({ id }: { id: number }) => id))
    expect([shown, second._links.next]).toEqual([[own.slice(0, 2), own.slice(2)], undefined])
  })
})

/** Every write that names a note or its record. */
const writes: [
  string,
  (caller: Client, lead: number, note: number) => Promise<Answer>,
  place: 'path' | 'item' | 'parent',
][] = [
  ['POST one record', (caller, lead) => caller.post(`/web/v4/leads/${lead}/notes`, [hello]), 'path'],
  ['POST', (caller, lead) => caller.post('/web/v4/leads/notes', [{ ...hello, entity_id: lead }]), 'parent'],
  ['PATCH', (caller, _lead, id) => caller.patch('/web/v4/leads/notes', [{ id, ...patch }]), 'item'],
  [
    'PATCH of one record',
    (caller, lead, id) => caller.patch(`/web/v4/leads/${lead}/notes`, [{ id, ...patch }]),
    'path',
  ],
  ['PATCH one', (caller, _lead, id) => caller.patch(`/web/v4/leads/notes/${id}`, patch), 'path'],
  [
    'PATCH one of one record',
    (caller, lead, id) => caller.patch(`/web/v4/leads/${lead}/notes/${id}`, patch),
    'path',
  ],
  ['pin', (caller, _lead, id) => caller.post(`/web/v4/leads/notes/${id}/pin`), 'path'],
  ['unpin', (caller, _lead, id) => caller.post(`/web/v4/leads/notes/${id}/unpin`), 'path'],
  ['DELETE', (caller, _lead, id) => caller.delete('/web/v4/leads/notes', [{ id }]), 'item'],
  ['restore', (caller, _lead, id) => caller.post(`/web/v4/leads/notes/${id}/restore`), 'path'],
]

describe('Writing notes', () => {
  test.each(writes)('requires edit rights on the record: %s', async (name, write) => {
    const { me, admin, leads, notes, ctx, stranger, addAccount, addPerson } = await office({
      leads: of('A', 'M'),
    })
    if (name === 'restore')
      for (const id of Object.values(notes)) await admin.browser.delete(`/web/v4/leads/notes/${id}`)
    const far = (await addPerson({ account: await addAccount('other'), is_admin: true })).browser
    const before = await traces(ctx)
    for (const who of ['peers', 'theirs'] as const)
      expect(problem(await write(me, leads[who], notes[who]))).toEqual(FORBIDDEN)
    expect((await write(stranger, leads.mine, notes.mine)).status).toBe(401)
    expect([400, 404]).toContain((await write(far, leads.mine, notes.mine)).status)
    expect(await traces(ctx)).toEqual(before)
    expect([200, 204]).toContain((await write(me, leads.mine, notes.mine)).status)
    expect([200, 204]).toContain((await write(admin.browser, leads.theirs, notes.theirs)).status)
  })

  test.each(writes)(
    'is forbidden for missing ids if the person cannot see everything: %s',
    async (_name, write, place) => {
      const { me, admin, leads, notes, ctx } = await office({ leads: of('M') })
      const before = await traces(ctx)
      const missing: [number, number][] = [
        [999_999, 999_999],
        [leads.theirs, notes.theirs],
      ]
      for (const [lead, note] of missing) expect(problem(await write(me, lead, note))).toEqual(FORBIDDEN)
      const answer = await write(admin.browser, 999_999, 999_999)
      if (place === 'path') expect(problem(answer)).toEqual(NOT_FOUND)
      else
        expect(faultsOf(answer)).toEqual([
          400,
          `0 NotSupportedChoice ${place === 'parent' ? 'entity_id' : 'id'}`,
        ])
      expect(await traces(ctx)).toEqual(before)
    },
  )

  test('refuses all of them if one cannot be changed', async () => {
    const { me, leads, notes, ctx } = await office({ leads: of('A', 'M') })
    const before = await traces(ctx)
    const ids = [notes.mine, notes.theirs].map((id) => ({ id }))
    const drafts = [leads.mine, leads.theirs].map((entity_id) => ({ ...hello, entity_id }))
    expect(problem(await me.post('/web/v4/leads/notes', drafts))).toEqual(FORBIDDEN)
    expect(
      problem(
        await me.patch(
          '/web/v4/leads/notes',
          ids.map((one) => ({ ...one, ...patch })),
        ),
      ),
    ).toEqual(FORBIDDEN)
    expect(problem(await me.delete('/web/v4/leads/notes', ids))).toEqual(FORBIDDEN)
    expect(await traces(ctx)).toEqual(before)
    expect((await me.get(`/web/v4/leads/notes/${notes.mine}`)).body.params.text).toBe('Hello')
  })
})

describe('An unpaid account', () => {
  test('cannot read notes, but can write them', async () => {
    const { admin, leads, notes, ctx, account } = await office({})
    const { browser } = admin
    await ctx.db
      .transaction()
      .execute((tx) =>
        tx.updateTable('accounts').set({ paid_until: 1 }).where('id', '=', account.id).execute(),
      )
    for (const path of [
      'leads/notes',
      `leads/${leads.mine}/notes`,
      `leads/notes/${notes.mine}`,
      `leads/${leads.mine}/notes/${notes.mine}`,
      `leads/${leads.mine}/files`,
    ])
      expect(problem(await browser.get(`/web/v4/${path}`))).toEqual([402, 'Payment required'])
    expect((await browser.post(`/web/v4/leads/${leads.mine}/notes`, [hello])).status).toBe(200)
    expect((await browser.patch(`/web/v4/leads/notes/${notes.mine}`, patch)).status).toBe(200)
  })
})
