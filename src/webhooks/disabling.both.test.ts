import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../test/client.ts'
import { add } from '../../test/fixtures/records.ts'
import { subscribed } from '../../test/fixtures/webhooks.ts'
import { times } from '../../test/long.ts'
import { patiently } from '../../test/patiently.ts'
import { type World, world } from '../../test/world.ts'

const SETTINGS = '/web/webhooks'
const ROUNDS = times(2, 6)
const HOOKS = times(8, 12)

/** Webhooks that are subscribed to new leads, with a delivery each. */
async function waiting(place: World, status: number) {
  const hooks = []
  for (let i = 0; i < HOOKS; i++) hooks.push(await subscribed(place, ['add_lead'], () => status))
  await add(place.admin.browser, 'leads', { name: 'Roof' })
  return hooks
}

/** Lets these requests of a person overlap with the attempts of the due deliveries, and returns their statuses. */
async function besideAttempts(place: World, requests: (() => Promise<Answer>)[]) {
  const sent = place.app.deliveries.runDue()
  const statuses = await Promise.all(
    requests.map(async (request, i) => {
      await sleep(i * 3)
      return (await patiently(request)).status
    }),
  )
  await sent
  return statuses
}

describe('A webhook whose endpoint is given up', () => {
  test('is disabled by a person at the same time', { timeout: 120_000 }, async () => {
    const place = await world({ ownServer: true })
    const { browser } = place.admin
    for (let round = 0; round < ROUNDS; round++) {
      const hooks = await waiting(place, 410)
      const statuses = await besideAttempts(
        place,
        hooks.map(
          ({ id }) =>
            () =>
              browser.patch(`${SETTINGS}/${id}`, { disabled: true }),
        ),
      )
      expect(statuses).toEqual(hooks.map(() => 200))
      for (const { id } of hooks) {
        const { disabled, health } = (await browser.get(`${SETTINGS}/${id}`)).body
        expect([disabled, health.waiting]).toEqual([true, 0])
        await browser.delete(`${SETTINGS}/${id}`)
      }
    }
    expect(place.logged()).not.toMatch('could not be recorded')
  })

  test('is removed by an integration while its failures are counted', { timeout: 120_000 }, async () => {
    const place = await world({ ownServer: true })
    const { browser } = place.admin
    await browser.put(`${SETTINGS}/plan`, { plan: 'platform' })
    for (let round = 0; round < ROUNDS; round++) {
      const hooks = await waiting(place, 404)
      const statuses = await besideAttempts(
        place,
        hooks.map(
          ({ destination }) =>
            () =>
              browser.delete('/web/v4/webhooks', { destination }),
        ),
      )
      expect(statuses).toEqual(hooks.map(() => 204))
    }
    expect(place.logged()).not.toMatch('could not be recorded')
  })
})
