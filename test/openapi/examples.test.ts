import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readExamples } from '../../src/surfaces/openapi/examples.ts'
import type { Identity } from '../client.ts'
import { exchange, freshCode, register } from '../fixtures/integrations.ts'
import { world } from '../world.ts'
import { descriptionOf } from './description.ts'
import { sendExamples } from './example-requests.ts'
import { recording, settled } from './examples.ts'

const FILE = new URL('../../src/surfaces/openapi/examples.json', import.meta.url)

// PostgreSQL does not use an id again whose transaction was rolled back.
test.runIf(process.env.TEST_DATABASE === 'sqlite')(
  'the examples of the description are requests that were sent, and what the server answered',
  { timeout: 300_000 },
  async () => {
    const place = await world()
    const { admin, app } = place
    const integration = await register(admin, { permissions: ['crm', 'files', 'files_delete'] })
    const identity: Identity = { host: admin.browser.identity.host }
    const { v4, examples, refused } = await recording(app.http, identity)
    identity.token = (await exchange(v4, integration, await freshCode(admin, integration))).body.access_token
    await sendExamples(place, v4)
    expect(refused).toEqual([])
    const current = settled(examples)
    if (process.env.EXAMPLES === 'write') writeFileSync(FILE, `${JSON.stringify(current, null, 2)}\n`)
    else expect(current).toEqual(await readExamples())
  },
)

test('every example is as its schema says', async () => {
  const { app } = await world()
  const description = await descriptionOf(app.http)
  const wrong = description.operations.flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)]
      .flatMap((one) => Object.values(one?.content ?? {}))
      .filter((content) => 'example' in content)
      .flatMap(({ schema, example }) => description.misfit(schema, example) ?? [])
      .map((misfit) => `${operationId}: ${misfit}`),
  )
  expect(wrong).toEqual([])
})

/** The first one always refuses; the other one needs a provider that answers. */
const without = ['website_buttons.online_chat', 'chat.message.attempts.list']

test('every operation with JSON in its request or its response has an example', async () => {
  const { app } = await world()
  const [{ operations }, examples] = await Promise.all([descriptionOf(app.http), readExamples()])
  const isShown = (content: object | undefined) =>
    Object.keys(content ?? {}).some((type) => type.includes('json'))
  const shown = operations.filter(({ operationId }) => !without.includes(operationId))
  const missing = shown.flatMap(({ operationId, requestBody, responses }) => {
    const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    const example = examples[operationId]
    const lacks = [
      ...(isShown(requestBody?.content) && example?.request === undefined ? ['request'] : []),
      ...(answers.some(([, { content }]) => isShown(content)) && example?.response === undefined
        ? ['response']
        : []),
    ]
    return lacks.map((part) => `${operationId}: ${part}`)
  })
  expect(missing).toEqual([])
})
