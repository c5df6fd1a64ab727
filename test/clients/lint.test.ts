import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { world } from '../world.ts'

test('the description passes the recommended rules of Redocly without an error or a warning', async () => {
  const { stranger } = await world({ env: { PUBLIC_URL: 'https://hub.acme.test' } })
  const { text } = await stranger.as({ host: 'hub.acme.test' }).get('/api/openapi.json')
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The platform has `/leads/custom_fields` beside `/leads/{id}`. The server takes digits alone as an id.
      'no-ambiguous-paths': 'off',
    },
  })
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  expect(
    problems.map(({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer} ${message}`),
  ).toEqual([])
})
