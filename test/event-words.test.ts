import { describe, expect, test } from 'vitest'
import { eventTypes } from '../src/events/event-types.ts'
import en from '../web/i18n/en/events.json' with { type: 'json' }

describe('The words of the log', () => {
  test('every type of event has its sentence', () => {
    expect(Object.keys(en.events.did).sort()).toEqual(Object.keys(eventTypes).sort())
  })
})
