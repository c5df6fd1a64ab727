import { expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { helper } from '../../test/fixtures/request-log.ts'
import { triggerScene } from '../../test/fixtures/triggers.ts'
import { subjectOf, subscribed } from '../../test/fixtures/webhooks.ts'
import { eventTypes } from '../events/event-types.ts'
import { webhookCodeNames, webhookCodes } from '../webhooks/webhook-types.ts'

const NAMES = Object.keys(eventTypes)
/** Each test sends some two hundred requests. */
const LONG = { timeout: 300_000 }

test('the list has all types of events, all codes and three deliveries', async () => {
  const { here } = await triggerScene()
  const { status, body } = await helper(here).get('/test_helpers/triggers')
  expect(status).toBe(200)
  const names = body.triggers.map(({ type }: { type: string }) => type)
  expect(names.toSorted()).toEqual(
    [...NAMES, ...webhookCodeNames, 'chat_callback', 'chat_reaction', 'disable_hook'].toSorted(),
  )
  expect(new Set(names).size).toBe(names.length)
})

onEmbedded(
  'every type of event is recorded by its action, in an account that has nothing',
  LONG,
  async () => {
    const { here, triggered } = await triggerScene()
    const { browser } = here.admin
    for (const type of NAMES) {
      const { requests, events } = await triggered(type)
      const [own] = events.filter((event) => event.type === type)
      const found = (await browser.get(`/web/v4/events?filter[type]=${type}`)).body._embedded.events
      expect([type, found[0].id, found[0].entity_id]).toEqual([type, own?.id, own?.entity_id])
      expect(requests.every(({ status, request_id }) => status < 400 && request_id !== '')).toBe(true)
    }
  },
)

onEmbedded('every code is announced by its action', LONG, async () => {
  const { here, triggered } = await triggerScene()
  const hook = await subscribed(here, webhookCodeNames)
  for (const code of webhookCodeNames) {
    const { key, action } = webhookCodes[code]
    const { deliveries } = await triggered(code)
    expect([code, deliveries.map(({ event }) => event)]).toEqual([
      code,
      expect.arrayContaining([`${key}[${action}]`]),
    ])
    expect((await hook.arrived()).map(subjectOf)).toContain(`${key}[${action}]`)
  }
})
