import { describe, expect, test } from 'vitest'
import { eventTypes } from '../../src/events/event-types.ts'
import en from '../../web/i18n/en/events.json' with { type: 'json' }

describe('The texts of the log', () => {
  test('exist for every event type', () => {
    expect(Object.keys(en.events.did).sort()).toEqual(Object.keys(eventTypes).sort())
  })
})
