import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { line, textOf } from '../../../test/fixtures/conversations.ts'
import { UNSORTED } from '../../../test/fixtures/incoming-leads.ts'
import { mainPipeline, PIPELINES } from '../../../test/fixtures/pipelines.ts'
import { add, log } from '../../../test/fixtures/records.ts'
import { bodyOf, subjectOf, subscribed } from '../../../test/fixtures/webhooks.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'

/** An account in which the leads of new chats wait, with a connected channel. */
async function waiting() {
  const here = await world({ ownServer: true })
  const set = await here.admin.browser.put('/web/new-chats', { are_chats_unsorted: true })
  if (set.status !== 204) throw new Error(set.text)
  return { ...here, channel: await line(here) }
}

const listed = async ({ admin }: Pick<World, 'admin'>) =>
  (await admin.browser.get(UNSORTED)).body._embedded.unsorted

describe('The lead of a new chat', () => {
  test('is in the first stage, unless the account lets new chats wait', async () => {
    const here = await world({ ownServer: true })
    const { browser } = here.admin
    const main = await mainPipeline(here)
    expect((await browser.get('/web/new-chats')).body).toEqual({ are_chats_unsorted: false })
    const channel = await line(here)
    await channel.write('ann')
    expect((await browser.get('/web/v4/leads')).body._embedded.leads[0].status_id).toBe(
      main._embedded.statuses[1]?.id,
    )
    expect((await browser.get('/web/v4/contacts')).body._embedded.contacts).toHaveLength(1)
    expect((await browser.get(UNSORTED)).status).toBe(204)
    await browser.put('/web/new-chats', { are_chats_unsorted: true })
    await channel.write('ann', 'Again')
    expect((await browser.get(UNSORTED)).status).toBe(204)
    const off = { is_unsorted_on: false }
    expect((await browser.patch(`${PIPELINES}/${main.id}`, off)).status).toBe(200)
    await channel.write('bob')
    expect((await browser.get(UNSORTED)).status).toBe(204)
  })

  test('that was accepted gets a contact that lists show, if its contact was deleted', async () => {
    const here = await waiting()
    const { browser } = here.admin
    await here.channel.write('ann')
    const [{ uid, _embedded }] = await listed(here)
    const contact = () => browser.get('/web/v4/contacts').then(({ body }) => body._embedded.contacts)
    expect(await contact()).toEqual([])
    await browser.post(`${UNSORTED}/${uid}/accept`)
    expect((await contact()).map(({ id }: { id: number }) => id)).toEqual([_embedded.contacts[0].id])
    await browser.delete(`/web/v4/contacts/${_embedded.contacts[0].id}`)
    await here.channel.write('ann', 'Again')
    expect(await contact()).toMatchObject([{ name: 'ann', _embedded: {} }])
    expect(await listed(here)).toEqual([])
  })

  onEmbedded('is switched by administrators', async () => {
    const here = await world({ ownServer: true })
    const sam = await here.addPerson({ name: 'Sam' })
    const tried = [
      await sam.browser.get('/web/new-chats'),
      await sam.browser.put('/web/new-chats', { are_chats_unsorted: true }),
    ]
    expect(tried.map(({ status }) => status)).toEqual([403, 403])
    await here.admin.browser.put('/web/new-chats', { are_chats_unsorted: true })
    const entry = await here.ctx.db
      .selectFrom('audit_log')
      .select(['action', 'details'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect([entry.action, JSON.parse(entry.details)]).toEqual([
      'account.changed',
      { changed: ['are_chats_unsorted'] },
    ])
  })

  test('waits with its contact, and shows the latest message', async () => {
    const here = await waiting()
    const { browser } = here.admin
    const chat_id = await here.channel.write('ann', 'Hello')
    const [{ uid, _embedded, ...item }] = await listed(here)
    expect(item).toMatchObject({
      category: 'chats',
      source_name: 'Messenger',
      metadata: {
        from: 'ann',
        to: 'Messenger',
        received_at: BEGINNING,
        service: 'Messenger',
        client: { name: 'ann', avatar: 'https://example.com/a.png' },
        origin: { chat_id, ref: null, visitor_uid: null },
        last_message_text: 'Hello',
        source_name: 'Messenger',
      },
    })
    expect(item.source_uid).toMatch(/^amojo:[\w-]+:c-ann$/)
    expect((await browser.get('/web/v4/contacts')).status).toBe(204)
    const chat = (await browser.get(`/web/v4/chats/${chat_id}`)).body
    expect([chat.lead?.id ?? chat.lead_id, chat.contact?.id ?? chat.contact_id]).toEqual([
      _embedded.leads[0].id,
      _embedded.contacts[0].id,
    ])
    here.clock.advance(10)
    await here.channel.write('ann', 'Are you there?')
    const [changed] = await listed(here)
    expect([changed.uid, changed.metadata.last_message_text, changed.metadata.received_at]).toEqual([
      uid,
      'Are you there?',
      BEGINNING + 10,
    ])
    const types = (await log(here.ctx, { entity_id: _embedded.leads[0].id })).map(({ type }) => type)
    expect(types.filter((type) => type === 'incoming_chat_message')).toHaveLength(2)
  })

  test('shows the new text of its latest message, when the provider edits it', async () => {
    const here = await world({ ownServer: true })
    await here.admin.browser.put('/web/new-chats', { are_chats_unsorted: true })
    const channel = await line(here, { protocol: 'live' })
    const hook = await subscribed(here, ['update_unsorted'])
    const shown = async () => {
      const [{ metadata }] = await listed(here)
      return [metadata.last_message_text, metadata.received_at]
    }
    const edit = (msgid: string, text: string, type = 'text') =>
      channel.call('POST', `/${channel.scope_id}`, {
        event_type: 'edit_message',
        payload: { msgid, message: { type, text } },
      })
    await channel.push(textOf(here, 'ann', 'Helo', { msgid: 'm-1' }))
    here.clock.advance(10)
    expect((await edit('m-1', 'Hello')).status).toBe(200)
    expect(await shown()).toEqual(['Hello', BEGINNING])
    await channel.push(textOf(here, 'ann', 'Are you there?', { msgid: 'm-2' }))
    await edit('m-1', 'Hi')
    expect(await shown()).toEqual(['Are you there?', BEGINNING + 10])
    const texts = (await hook.arrived()).flatMap((hit) =>
      (bodyOf(hit).unsorted?.update ?? []).map(({ source_data }) => source_data),
    )
    expect(texts).toMatchObject([{ data: [{ text: 'Hello' }] }, { data: [{ text: 'Are you there?' }] }])
    const picture = {
      type: 'picture',
      text: 'The roof',
      media: 'https://cdn.example/a.png',
      file_name: 'a.png',
    }
    await channel.push(textOf(here, 'ann', '', { msgid: 'm-3', message: picture }))
    expect((await edit('m-3', '', 'picture')).status).toBe(200)
    expect((await shown())[0]).toBe('a.png')
    const [{ uid }] = await listed(here)
    await here.admin.browser.post(`${UNSORTED}/${uid}/accept`)
    expect((await edit('m-2', 'Where are you?')).status).toBe(200)
  })

  onEmbedded(
    'goes on in its chat after it was accepted, and again from the beginning after it was declined',
    async () => {
      const here = await waiting()
      const { browser } = here.admin
      await here.channel.write('ann')
      const [first] = await listed(here)
      await browser.post(`${UNSORTED}/${first.uid}/accept`)
      await here.channel.write('ann', 'More')
      expect((await browser.get(UNSORTED)).status).toBe(204)
      expect((await browser.get('/web/v4/contacts')).body._embedded.contacts).toHaveLength(1)
      await here.channel.write('bob')
      const [second] = await listed(here)
      await browser.delete(`${UNSORTED}/${second.uid}/decline`)
      await here.channel.write('bob', 'Please')
      const [third] = await listed(here)
      expect(third.uid).not.toBe(second.uid)
      expect(third.metadata.last_message_text).toBe('Please')
      expect(third._embedded.leads[0].id).not.toBe(second._embedded.leads[0].id)
    },
  )

  onEmbedded('is announced once when it arrives, and again with each message', async () => {
    const here = await waiting()
    const hook = await subscribed(here, ['add_unsorted', 'update_unsorted', 'add_lead', 'add_contact'])
    const chat_id = await here.channel.write('ann', 'Hello')
    const [hit, ...others] = await hook.arrived()
    expect(others).toEqual([])
    const { browser } = here.admin
    const latest = async () =>
      (await browser.get(`/web/v4/chats/${chat_id}/messages`)).body._embedded.messages[0]
    const first = await latest()
    expect(bodyOf(hit as never).unsorted?.add?.[0]).toMatchObject({
      category: 'chats',
      source: 'Messenger',
      source_data: {
        name: 'ann',
        client: { id: first.author.id, name: 'ann' },
        data: [{ id: first.id, manager: '0', text: 'Hello' }],
      },
    })
    expect((await listed(here))[0].metadata.client).toEqual({
      name: 'ann',
      avatar: 'https://example.com/a.png',
    })
    await here.channel.write('ann', 'More')
    const again = await hook.arrived()
    expect(again.map(subjectOf)).toEqual(['unsorted[update]'])
    expect(bodyOf(again[0] as never).unsorted?.update?.[0]).toMatchObject({
      source_data: { data: [{ id: (await latest()).id, text: 'More' }] },
    })
  })
})

describe('Linking an incoming chat', () => {
  test('moves the chat to a lead that exists, and to its contact', async () => {
    const here = await waiting()
    const { browser } = here.admin
    const contact = await add(browser, 'contacts', { name: 'Ann Stone' })
    const lead = await add(browser, 'leads', { name: 'Roof', _embedded: { contacts: [{ id: contact }] } })
    const chat_id = await here.channel.write('ann')
    const [{ uid, _embedded }] = await listed(here)
    const link = { entity_id: lead, entity_type: 'leads', metadata: { contact_id: contact } }
    const answer = await browser.post(`${UNSORTED}/${uid}/link`, { link })
    expect(answer.body).toMatchObject({ uid, _embedded: { leads: [{ id: lead }] } })
    const { body } = await browser.get(`/web/v4/chats/${chat_id}`)
    expect([body.lead?.id ?? body.lead_id, body.contact?.id ?? body.contact_id]).toEqual([lead, contact])
    const gone = await browser.get(`/web/v4/leads/${_embedded.leads[0].id}`)
    expect([gone.status, (await browser.get(UNSORTED)).status]).toEqual([204, 204])
    expect((await browser.get('/web/v4/contacts')).body._embedded.contacts).toHaveLength(1)
  })

  test('to a customer links the contact, and the lead is gone', async () => {
    const here = await waiting()
    const { browser } = here.admin
    const customer = await add(browser, 'customers', { name: 'Stone' })
    const chat_id = await here.channel.write('ann')
    const [{ uid, _embedded }] = await listed(here)
    const hook = await subscribed(here, [
      ...['add_lead', 'status_lead', 'update_lead', 'delete_lead', 'delete_unsorted'],
      ...['add_contact', 'update_contact', 'delete_contact'],
    ])
    const link = { entity_id: customer, entity_type: 'customers' }
    expect((await browser.post(`${UNSORTED}/${uid}/link`, { link })).status).toBe(200)
    const contact = _embedded.contacts[0].id
    // Nobody has heard of the lead, so nobody hears of its end.
    expect((await hook.arrived()).map(subjectOf).toSorted()).toEqual(['contacts[add]', 'unsorted[delete]'])
    const { body } = await browser.get(`/web/v4/customers/${customer}?with=contacts`)
    expect(body._embedded.contacts[0].id).toBe(contact)
    expect((await browser.get(`/web/v4/leads/${_embedded.leads[0].id}`)).status).toBe(204)
    expect((await browser.get('/web/v4/contacts')).body._embedded.contacts[0].id).toBe(contact)
    expect((await browser.get(`/web/v4/chats/${chat_id}`)).status).toBe(200)
  })

  test('to a customer needs the right to delete the lead, which is never wider than that to edit it', async () => {
    const here = await waiting()
    const { browser } = here.admin
    const customer = await add(browser, 'customers', { name: 'Stone' })
    await here.channel.write('ann')
    const [before] = await listed(here)
    const rights = { view: 'A', edit: 'A', add: 'A', delete: 'D', export: 'D' } as const
    const sam = await here.addPerson({ rights: { leads: rights, contacts: rights } })
    const link = { entity_id: customer, entity_type: 'customers' }
    expect((await sam.browser.post(`${UNSORTED}/${before.uid}/link`, { link })).status).toBe(403)
    expect(await listed(here)).toEqual([before])
  })

  onEmbedded('is refused for forms, and for records that are missing or incoming themselves', async () => {
    const here = await waiting()
    const { browser } = here.admin
    await here.channel.write('ann')
    await here.channel.write('bob')
    const [one, other] = await listed(here)
    const lead = await add(browser, 'leads', { name: 'Roof' })
    const wrong = [
      { entity_id: 999_999, entity_type: 'leads' },
      { entity_id: other._embedded.leads[0].id, entity_type: 'leads' },
      { entity_id: one._embedded.leads[0].id, entity_type: 'leads' },
      { entity_id: lead, entity_type: 'leads', metadata: { contact_id: 999_999 } },
      { entity_id: lead, entity_type: 'customers' },
    ]
    for (const link of wrong)
      expect([link, (await browser.post(`${UNSORTED}/${one.uid}/link`, { link })).status]).toEqual([
        link,
        400,
      ])
    const item = { source_name: 'Site', source_uid: 's', metadata: {} }
    const form = (await browser.post(`${UNSORTED}/forms`, [item])).body._embedded.unsorted[0]
    const link = { entity_id: lead, entity_type: 'leads' }
    expect((await browser.post(`${UNSORTED}/${form.uid}/link`, { link })).status).toBe(400)
    expect((await listed(here)).length).toBe(3)
  })
})
