import { describe, expect, test } from 'vitest'
import { type EventDraft, type EventKind, eventTypeOf, eventTypes, unrecordedTypes } from './event-types.ts'

const kinds: [string, EventKind][] = Object.entries(eventTypes)

describe('Event types', () => {
  test('have unique numbers, by which they are stored', () => {
    expect(new Set(kinds.map(([, { number }]) => number)).size).toBe(kinds.length)
    for (const [type, { number }] of kinds) expect(eventTypeOf(number)).toBe(type)
    expect(eventTypeOf(0)).toBeUndefined()
  })

  test('that are not recorded have names and numbers of their own', () => {
    const others = Object.entries(unrecordedTypes)
    const numbers = [...kinds.map(([, { number }]) => number), ...others.map(([, number]) => number)]
    expect(new Set(numbers).size).toBe(kinds.length + others.length)
    expect(others.filter(([type]) => Object.hasOwn(eventTypes, type))).toEqual([])
  })

  test('have names in four languages', () => {
    for (const [type, { names }] of kinds)
      expect([type, names.length, names.every((name) => name.trim() !== '')]).toEqual([type, 4, true])
    for (const language of [0, 1, 2, 3])
      expect(new Set(kinds.map(([, { names }]) => names[language])).size).toBeGreaterThan(50)
  })

  test('have both values where the description has both arrays, and neither where both are empty', () => {
    const sides = (type: keyof typeof eventTypes) => {
      const { before, after }: EventKind = eventTypes[type]
      return [before ?? null, after ?? null]
    }
    for (const type of [
      'lead_deleted',
      'contact_restored',
      'entity_merged',
      'task_added',
      'task_completed',
    ] as const)
      expect([type, ...sides(type)]).toEqual([type, null, null])
    expect(sides('task_text_changed')).toEqual(['task_text', 'task_text'])
    expect(sides('lead_status_changed')).toEqual(['lead_status', 'lead_status'])
    expect(sides('entity_tag_added')).toEqual([null, 'tag'])
    expect(sides('entity_tag_deleted')).toEqual(['tag', null])
    expect(sides('contact_linked')).toEqual([null, 'link'])
    expect(sides('contact_unlinked')).toEqual(['unlink', null])
  })

  test('reject wrong values at compile time', () => {
    const about = { entity_type: 'lead', entity_id: 1 } as const
    const drafts: EventDraft[] = [
      { type: 'lead_added', ...about, after: [{ note: { id: 1 } }] },
      { type: 'lead_deleted', ...about },
      // @ts-expect-error a note is referenced by its id
      { type: 'lead_added', ...about, after: [{ note: { text: 'x' } }] },
      // @ts-expect-error a deletion has no values
      { type: 'lead_deleted', ...about, after: [{ note: { id: 1 } }] },
      // @ts-expect-error a price must be a number
      { type: 'sale_field_changed', ...about, before: [], after: [{ sale_field_value: { sale: '1' } }] },
      // @ts-expect-error both sides are required
      { type: 'sale_field_changed', ...about, after: [{ sale_field_value: { sale: 1 } }] },
      // @ts-expect-error dog is not an entity type
      { type: 'lead_deleted', entity_type: 'dog', entity_id: 1 },
    ]
    expect(drafts.length).toBe(7)
  })
})
