import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { writeTypes } from '../../sdk/generators/write-types.ts'
import { connected } from '../fixtures/chats.ts'
import { register } from '../fixtures/integrations.ts'
import { add } from '../fixtures/records.ts'
import { BEGINNING, type World, world } from '../world.ts'

const run = promisify(execFile)

/** The settings of the ten tasks: an integration with its first code, records, a stage, a chat channel. */
async function settingsOf(all: World) {
  const { admin } = all
  const { code, ...keys } = await register(admin, { permissions: ['crm', 'chats'] })
  const { body: fields } = await admin.browser.post('/web/v4/leads/custom_fields', [
    { name: 'Material', type: 'text' },
  ])
  const contact_id = await add(admin.browser, 'contacts', {
    name: 'Sue',
    custom_fields_values: [{ field_code: 'PHONE', values: [{ value: '+1 555 0100', enum_code: 'MOB' }] }],
  })
  await add(admin.browser, 'leads', { name: 'First', _embedded: { contacts: [{ id: contact_id }] } })
  await add(admin.browser, 'leads', { name: 'Second' })
  const { body: pipelines } = await admin.browser.get('/web/v4/leads/pipelines')
  const [pipeline] = pipelines._embedded.pipelines
  const stage = { pipeline_id: pipeline.id, status_id: pipeline._embedded.statuses[2].id }
  const { channel, scope_id } = await connected(all)
  return {
    code,
    keys,
    contact_id,
    field_id: fields._embedded.custom_fields[0].id,
    stage,
    channel: { scope_id, secret: channel.secret },
    now: BEGINNING,
  }
}

describe('A client in TypeScript', () => {
  test('needs no cast, `any` or non-null assertion', () => {
    for (const file of ['ten-tasks.ts', 'more-tasks.ts']) {
      const tasks = readFileSync(`test/clients/tasks/${file}`, 'utf8')
      expect(tasks.match(/\bas [A-Za-z{[]|\bany\b|[\w)\]]!|@ts-/g)).toBeNull()
    }
  })

  test('has types from the description, with which the usual tasks compile and do what they say', {
    timeout: 180_000,
  }, async () => {
    const all = await world({ ownServer: true })
    const description = await all.stranger.get('/api/openapi.json')
    writeTypes(description.text)
    const { stdout: errors } = await run('node_modules/.bin/tsc', ['-p', 'sdk']).catch((failure) => failure)
    expect(errors).toBe('')

    const settings = await settingsOf(all)
    const base_url = await all.app.http.listen({ port: 0, host: '127.0.0.1' })
    const { stdout } = await run(process.execPath, [
      'test/clients/tasks/run.ts',
      JSON.stringify({ base_url, ...settings }),
    ])
    const { stage, contact_id } = settings
    expect(JSON.parse(stdout)).toEqual({
      account: { name: 'demo Ltd', currency: expect.stringMatching(/^[A-Z]{3}$/) },
      leads: [
        { name: 'First', contacts: [contact_id] },
        { name: 'Second', contacts: [] },
        { name: 'A kitchen', contacts: [] },
      ],
      moved_at: BEGINNING,
      call: '+15550100',
      changes: [{ lead: expect.any(Number), from: expect.any(Number), to: stage.status_id }],
      phones: { phones: ['MOB +1 555 0100'], labels: expect.arrayContaining(['MOB']) },
      task: true,
      history: ['Is it still there?'],
      pipeline: { stages: ['Incoming leads', 'Measured', 'Sold', 'Closed - lost'], action: 'create_task' },
      values: ['2.5', 'yes', 'Oak', '2026-12-01T00:00:00.000Z', 'city Madrid', 'Novak'],
      form: 'https://shop.example',
      linked: { main: contact_id, quantity: 2 },
      webhook: ['add_lead', 'update_contact'],
      customer: { sum: 100, points: 5 },
    })
  })
})
