import { describe, expect, test } from 'vitest'
import { legacyClient } from '../../test/fixtures/legacy.ts'
import { BEGINNING, world } from '../../test/world.ts'

async function begun() {
  const place = await world()
  const api = await legacyClient(place)
  const added = await api.set('leads/set', { leads: { add: [{ name: 'Bicycle' }] } })
  return { place, api, lead: added.body.response.leads.add[0].id as number }
}

describe('tasks', () => {
  test('are added, changed and listed', async () => {
    const { place, api, lead } = await begun()
    const { status, body } = await api.set('tasks/set', {
      tasks: {
        add: [
          {
            element_id: String(lead),
            element_type: 2,
            task_type: 'MEETING',
            text: 'Show the bicycle',
            responsible_user_id: place.admin.id,
            complete_till: BEGINNING + 60,
          },
          {
            element_id: 0,
            element_type: 0,
            task_type: 1,
            text: 'Call',
            complete_till: String(BEGINNING + 90),
          },
        ],
      },
    })
    const [shown, call] = body.response.tasks.add.map(({ id }: { id: number }) => id)
    expect([status, body.response.tasks]).toEqual([
      200,
      {
        add: [
          { id: shown, request_id: 0 },
          { id: call, request_id: 1 },
        ],
        update: [],
      },
    ])
    const done = await api.set('tasks/set', {
      tasks: { update: [{ id: call, text: 'Called', status: '1' }] },
    })
    expect(done.body.response.tasks.update).toEqual([{ id: call, last_modified: BEGINNING }])
    const common = {
      date_create: BEGINNING,
      created_user_id: place.admin.id,
      last_modified: BEGINNING,
      responsible_user_id: place.admin.id,
      group_id: 0,
      account_id: place.account.id,
      result: [],
    }
    const meeting = {
      ...{ id: shown, element_id: lead, element_type: 2, task_type: 2, text: 'Show the bicycle' },
      ...{ complete_till: BEGINNING + 60, status: 0, ...common },
    }
    const called = {
      ...{ id: call, element_id: 0, element_type: 0, task_type: 1, text: 'Called' },
      ...{ complete_till: BEGINNING + 90, status: 1, ...common },
    }
    expect((await api.get('tasks/list')).body.response.tasks).toEqual([meeting, called])
    expect((await api.get(`tasks/list?type=lead&element_id=${lead}`)).body.response.tasks).toEqual([meeting])
    expect((await api.get('tasks/list?type=contact')).status).toBe(204)
  })

  test('are refused with the path of the fault', async () => {
    const { api, lead } = await begun()
    const table: [object, string][] = [
      [
        { add: [{ element_id: lead, element_type: 2, text: 'A' }] },
        'request.tasks.add.0.complete_till: This field is missing.',
      ],
      [
        { add: [{ element_id: lead, element_type: 5, text: 'A', complete_till: 9 }] },
        'request.tasks.add.0.element_type: This value should be 1, 2, 3 or 12.',
      ],
      [
        { add: [{ element_id: 999_999, element_type: 2, text: 'A', complete_till: 9 }] },
        'request.tasks.add.0.element_id: ',
      ],
      [{ update: [{ text: 'A' }] }, 'request.tasks.update.0.id: This field is missing.'],
      [{ add: [{}], update: [{}] }, 'A request adds tasks or updates them, not both.'],
    ]
    for (const [tasks, error] of table) {
      const answer = await api.set('tasks/set', { tasks })
      expect([answer.status, answer.body.response.error]).toEqual([400, expect.stringContaining(error)])
    }
    expect((await api.get('tasks/list')).status).toBe(204)
  })
})

describe('notes', () => {
  test.each([
    ['www.testweb.ru/test_call.mp3', 'http://www.testweb.ru/test_call.mp3'],
    ['rec.example', 'http://rec.example'],
    ['https://rec.example/1', 'https://rec.example/1'],
    ['', ''],
  ])('the recording %j of a call is stored as %j', async (LINK, link) => {
    const { place, api, lead } = await begun()
    const text = JSON.stringify({ UNIQ: 'c-1', PHONE: '1', DURATION: 1, SRC: 'pbx', LINK })
    const answer = await api.set('notes/set', {
      notes: { add: [{ element_id: lead, element_type: 2, note_type: 10, text }] },
    })
    expect(answer.status).toBe(200)
    const [{ id }] = answer.body.response.notes.add
    const note = await place.admin.browser.get(`/web/v4/leads/notes/${id}`)
    expect(note.body.params.link).toBe(link)
  })

  test.each(['recording 1', 'javascript:alert(1)', '1'])('the recording %j is refused', async (LINK) => {
    const { api, lead } = await begun()
    const text = JSON.stringify({ UNIQ: 'c-1', PHONE: '1', DURATION: 1, SRC: 'pbx', LINK })
    const notes = { add: [{ element_id: lead, element_type: 2, note_type: 10, text }] }
    expect((await api.set('notes/set', { notes })).status).toBe(400)
  })

  test('are added to several kinds of records, changed and listed', async () => {
    const { place, api, lead } = await begun()
    const contact = (await api.set('contacts/set', { contacts: { add: [{ name: 'Jo' }] } })).body.response
      .contacts.add[0].id
    const call = {
      UNIQ: 'c-1',
      PHONE: '+441134960000',
      DURATION: '54',
      SRC: 'pbx',
      LINK: 'https://rec.example/1',
      call_status: 4,
    }
    const { status, body } = await api.set('notes/set', {
      notes: {
        add: [
          { element_id: lead, element_type: '2', note_type: '4', text: 'Hello', request_id: 5 },
          { element_id: contact, element_type: 1, note_type: 10, text: JSON.stringify(call) },
          {
            element_id: lead,
            element_type: 2,
            note_type: 103,
            text: '{"TEXT":"Sent","PHONE":"+441134960001"}',
          },
        ],
      },
    })
    const [hello, called, sms] = body.response.notes.add.map(({ id }: { id: number }) => id)
    expect([status, body.response.notes.add]).toEqual([
      200,
      [
        { id: hello, request_id: 5 },
        { id: called, request_id: 1 },
        { id: sms, request_id: 2 },
      ],
    ])
    await api.set('notes/set', {
      notes: { update: [{ id: hello, element_type: 2, note_type: 4, text: 'Hello again' }] },
    })
    const common = {
      date_create: BEGINNING,
      created_user_id: place.admin.id,
      last_modified: BEGINNING,
      responsible_user_id: place.admin.id,
      group_id: 0,
      account_id: place.account.id,
      attachement: '',
    }
    const listed = await api.get(`notes/list?type=lead&element_id=${lead}`)
    expect(listed.body.response.notes.filter(({ id }: { id: number }) => id === hello || id === sms)).toEqual(
      [
        {
          id: hello,
          element_id: lead,
          element_type: 2,
          note_type: 4,
          text: 'Hello again',
          editable: 'Y',
          ...common,
        },
        {
          ...{ id: sms, element_id: lead, element_type: 2, note_type: 103 },
          ...{ text: '{"TEXT":"Sent","PHONE":"+441134960001"}', editable: 'N', ...common },
        },
      ],
    )
    const [shown] = (await api.get('notes/list?type=contact')).body.response.notes.filter(
      ({ note_type }: { note_type: number }) => note_type === 10,
    )
    expect({ ...shown, text: JSON.parse(shown.text) }).toEqual({
      ...{ id: called, element_id: contact, element_type: 1, note_type: 10, editable: 'N', ...common },
      text: { ...call, DURATION: 54 },
    })
  })

  test('are refused as a whole, with the path of the fault', async () => {
    const { api, lead } = await begun()
    const good = { element_id: lead, element_type: 2, note_type: 4, text: 'Good' }
    const table: [object, string][] = [
      [
        { add: [good, { ...good, element_type: 4 }] },
        'request.notes.add.1.element_type: This value should be 1, 2, 3 or 12.',
      ],
      [
        { add: [good, { ...good, note_type: 3 }] },
        'request.notes.add.1.note_type: This value should be one of 4, 10, 11, 25, 102, 103.',
      ],
      [{ add: [good, { ...good, element_id: 999_999 }] }, 'request.notes.add.1.element_id: '],
      [
        { add: [good, { ...good, element_id: 999_999, element_type: 1 }] },
        'request.notes.add.1.element_id: ',
      ],
      [
        { add: [{ ...good, note_type: 10, text: 'no JSON' }] },
        'request.notes.add.0.params.duration: This field is missing.',
      ],
      // The JSON in a text is read like a body.
      ...['a\0', 'a\ud800'].map((PHONE): [object, string] => [
        { add: [{ ...good, note_type: 102, text: JSON.stringify({ TEXT: 'Hi', PHONE }) }] },
        'request.notes.add.0.params.phone: This field is missing.',
      ]),
      [
        {
          update: [
            { id: 1, element_type: 2 },
            { id: 2, element_type: 9 },
          ],
        },
        'request.notes.update.1.element_type: ',
      ],
    ]
    for (const [notes, error] of table) {
      const answer = await api.set('notes/set', { notes })
      expect([answer.status, answer.body.response.error]).toEqual([400, expect.stringContaining(error)])
    }
    const texts = (await api.get('notes/list?type=lead')).body?.response?.notes ?? []
    expect(texts.filter(({ text }: { text: string }) => text === 'Good')).toEqual([])
    expect((await api.get('notes/list')).body.response.error).toContain('type: ')
  })
})
