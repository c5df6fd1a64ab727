import { expect, test } from 'vitest'
import { denied } from '../../src/accounts/members/right-types.ts'
import { changesOf } from '../../web/accounts/rights.ts'
import { rebased, savedOf } from '../../web/parts/forms/rebased.ts'

const before = { name: 'Sales', rights: { leads: { view: 'M', edit: 'M' }, mail_access: false }, ids: [1, 2] }

test('a member that the person left as it was takes the value that another person stored', () => {
  const stored = { ...before, name: 'Sales team', ids: [1, 2, 3] }
  expect(rebased({ ...before }, before, stored)).toEqual(stored)
  expect(rebased({ ...before, name: 'Shop' }, before, stored)).toEqual({ ...stored, name: 'Shop' })
  expect(rebased({ ...before, ids: [2] }, before, stored)).toEqual({ ...stored, ids: [2] })
})

test('a group of members is compared member by member', () => {
  const entered = { ...before, rights: { ...before.rights, leads: { view: 'A', edit: 'M' } } }
  const stored = { ...before, rights: { leads: { view: 'M', edit: 'G' }, mail_access: true } }
  expect(rebased(entered, before, stored).rights).toEqual({
    leads: { view: 'A', edit: 'G' },
    mail_access: true,
  })
})

test('a member that exists on one side only is not lost', () => {
  type Rights = Record<string, string[]>
  const own: Rights = { a: ['x'] }
  expect(rebased<Rights>(own, {}, { b: ['y'] })).toEqual({ a: ['x'], b: ['y'] })
})

test('only what the person changed of a role is saved, down to the rights about a kind of record', () => {
  const stored = { name: 'Sales', rights: denied }
  const contacts = { ...denied.contacts, view: 'M' as const }
  expect(changesOf({ ...stored, rights: { ...denied, contacts } }, stored)).toEqual({ rights: { contacts } })
  expect(changesOf({ ...stored, name: 'Shop' }, stored)).toEqual({ name: 'Shop' })
  // The rights of an administrator are not in the form.
  const ofAdministrator: { name: string; rights?: typeof denied | undefined } = { name: 'Sales' }
  expect(changesOf(stored, ofAdministrator)).toEqual({ rights: denied })
})

test('a new item is sent as it is, and of a stored one only what the person changed', () => {
  const draft = { name: 'Offer', tags: ['a'] }
  expect(savedOf(undefined, draft, { name: '', tags: [] })).toEqual(draft)
  expect(savedOf(7, draft, { ...draft, name: 'Order' })).toEqual({ id: 7, name: 'Offer' })
  expect(savedOf(7, draft, { ...draft, tags: [] })).toEqual({ id: 7, tags: ['a'] })
  expect(savedOf(7, draft, draft)).toEqual({ id: 7 })
})
