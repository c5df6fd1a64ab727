import { describe, expect, test } from 'vitest'
import { Problem, Unreachable } from '../../web/api/problem.ts'
import { draftOf, keepDraft, restoreDraft, takeDraft } from '../../web/chats/inbox/drafts.ts'
import {
  draftOf as draftOfCard,
  dropDraft,
  keepWriteDraft,
  restoreWriteDraft,
} from '../../web/timeline/composer/write-drafts.ts'

const lost = new Unreachable('lost')
const file = (name: string) => new File(['x'], name)

/** Sends what was typed and attached. */
function send(chat: string, text: string, files: File[] = []) {
  keepDraft(chat, { text, files })
  return takeDraft(chat)
}
const keysOf = (messages: { key: string }[]) => messages.map(({ key }) => key)

describe('Messages that got no response', () => {
  test('return in their order, before what was written since, and are the same if they are sent unchanged', () => {
    const rows = [...send('a', 'One'), ...send('a', 'Two', [file('1'), file('2')])]
    expect(rows.map(({ text, file }) => [text, file?.name])).toEqual([
      ['One', undefined],
      ['Two', '1'],
      ['', '2'],
    ])
    for (const row of rows) restoreDraft(lost, row)
    const { text, files } = draftOf('a')
    expect([text, files.map(({ name }) => name)]).toEqual(['One\nTwo', ['1', '2']])
    const again = takeDraft('a')
    expect(again).toEqual(rows)
    expect([draftOf('a').text, keysOf(takeDraft('a'))]).not.toContain(keysOf(rows))
  })

  test('stand before a text that is being typed, and are another message then', () => {
    const rows = [...send('b', 'One'), ...send('b', 'Two')]
    keepDraft('b', { text: 'Typing', files: [] })
    for (const row of rows) restoreDraft(lost, row)
    expect(draftOf('b').text).toBe('One\nTwo\nTyping')
    const [whole, ...others] = takeDraft('b')
    expect([whole?.text, others]).toEqual(['One\nTwo\nTyping', []])
    expect(keysOf(rows)).not.toContain(whole?.key)
  })

  test('keep their texts if one that returned before was changed', () => {
    const [one, two] = [...send('c', 'One'), ...send('c', 'Two')] as [never, never]
    restoreDraft(lost, one)
    keepDraft('c', { text: 'One, changed' })
    restoreDraft(lost, two)
    expect(draftOf('c').text).toBe('Two\nOne, changed')
  })
})

test('A refused message has another key when it is sent again', () => {
  const [row] = send('d', 'Closed') as [ReturnType<typeof takeDraft>[0]]
  restoreDraft(new Problem(409, {}), row)
  const [again] = takeDraft('d')
  expect([again?.text, again?.key === row.key]).toEqual(['Closed', false])
})

describe('Notes that are refused', () => {
  const card = (id: number) => ({ collection: 'leads' as const, id })

  test('return in their order, before what is typed', () => {
    keepWriteDraft(card(1), { note: 'Typing' })
    for (const note of ['One', 'Two']) restoreWriteDraft(card(1), { mode: 'note', note })
    expect(draftOfCard(card(1)).note).toBe('One\nTwo\nTyping')
    dropDraft(card(1), 'note')
    restoreWriteDraft(card(1), { mode: 'note', note: 'Three' })
    expect(draftOfCard(card(1)).note).toBe('Three')
  })

  test('calls and SMS keep their texts beside others that were written since', () => {
    const call = { direction: 'in', phone: '+1', duration: '1:00', result: 'Yes', status: null } as const
    restoreWriteDraft(card(2), { mode: 'call', call })
    expect(draftOfCard(card(2)).call).toEqual(call)
    restoreWriteDraft(card(2), { mode: 'call', call: { ...call, phone: '+2', result: 'No' } })
    expect(draftOfCard(card(2)).call).toEqual({ ...call, result: 'No\nYes' })
    keepWriteDraft(card(2), { sms: { phone: '', text: 'Typing' } })
    restoreWriteDraft(card(2), { mode: 'sms', sms: { phone: '+3', text: 'Hi' } })
    expect(draftOfCard(card(2)).sms).toEqual({ phone: '+3', text: 'Hi\nTyping' })
  })
})
