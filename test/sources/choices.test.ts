import { expect, test } from 'vitest'
import type { Answer } from '../client.ts'
import { add } from '../fixtures/records.ts'
import { world } from '../world.ts'

const NOT = 'The value you selected is not a valid choice.'

/** The faults of a refusal as `path: detail`. */
const detailsOf = ({ body }: Answer): string[] =>
  (body['validation-errors'] as { errors: { path: string; detail: string }[] }[]).flatMap(({ errors }) =>
    errors.map(({ path, detail }) => `${path}: ${detail}`),
  )

const oneOf = (path: string, choices: readonly unknown[]): string =>
  choices.length > 20
    ? `${path}: ${NOT} It should be one of: ${choices.slice(0, 20).join(', ')} and ${choices.length - 20} more.`
    : `${path}: ${NOT} It should be ${choices.length > 1 ? 'one of: ' : ''}${choices.join(', ')}.`

async function withSettings() {
  const all = await world()
  const { browser } = all.admin
  const ann = await all.addPerson({ name: 'Ann' })
  await all.addPerson({ name: 'Zoe', account: await all.addAccount('other') })
  const [field] = (
    await browser.post('/web/v4/leads/custom_fields', [
      {
        name: 'Colour',
        code: 'COLOUR',
        type: 'select',
        enums: [{ value: 'Red', code: 'RED' }, { value: 'Blue' }],
      },
    ])
  ).body._embedded.custom_fields
  const pipeline = (await browser.get('/web/v4/leads/pipelines')).body._embedded.pipelines[0]
  const stages = pipeline._embedded.statuses.map(({ id }: { id: number }) => id)
  const people = [all.admin.id, ann.id].sort((a, b) => a - b)
  return { ...all, browser, field, pipeline, stages, people }
}

test("an invalid choice in a record's member lists the valid choices", async () => {
  const { browser, field, pipeline, stages, people } = await withSettings()
  const reason = (await browser.post('/web/v4/leads/loss_reasons', [{ name: 'Price' }])).body._embedded
    .loss_reasons[0].id
  const reasons = (await browser.get('/web/v4/leads/loss_reasons')).body._embedded.loss_reasons
  const fields = (await browser.get('/web/v4/leads/custom_fields?order[sort]=asc')).body._embedded
    .custom_fields
  const lead = async (draft: object) => detailsOf(await browser.post('/web/v4/leads', [draft]))
  const value = (one: object) => lead({ custom_fields_values: [{ field_id: field.id, values: [one] }] })
  const at = 'custom_fields_values.0'
  expect([
    await lead({ responsible_user_id: 999_999 }),
    await lead({ created_by: 999_999 }),
    await lead({ pipeline_id: 999_999 }),
    await lead({ pipeline_id: pipeline.id, status_id: 999_999 }),
    await lead({ status_id: 143, loss_reason_id: 999_999 }),
    await lead({ custom_fields_values: [{ field_id: 999_999, values: [{ value: 'x' }] }] }),
    await lead({ custom_fields_values: [{ field_code: 'NONE', values: [{ value: 'x' }] }] }),
    await value({ value: 'Green' }),
    await value({ enum_id: 999_999 }),
    await value({ enum_code: 'GREEN' }),
  ]).toEqual([
    [oneOf('responsible_user_id', people)],
    [oneOf('created_by', [0, ...people])],
    [oneOf('pipeline_id', [pipeline.id])],
    // Leads enter the stage of incoming leads, the first one, only through their own API.
    [oneOf('status_id', stages.slice(1))],
    [
      oneOf(
        'loss_reason_id',
        reasons.map(({ id }: { id: number }) => id),
      ),
    ],
    [
      oneOf(
        `${at}.field_id`,
        fields.map(({ id }: { id: number }) => id),
      ),
    ],
    [
      oneOf(
        `${at}.field_code`,
        fields.flatMap(({ code }: { code: string | null }) => code ?? []),
      ),
    ],
    [oneOf(`${at}.values.0.value`, ['Red', 'Blue'])],
    [
      oneOf(
        `${at}.values.0.enum_id`,
        field.enums.map(({ id }: { id: number }) => id),
      ),
    ],
    [oneOf(`${at}.values.0.enum_code`, ['RED'])],
  ])
  expect(reasons.map(({ id }: { id: number }) => id)).toContain(reason)
})

test('and so it does in tasks, notes, sources, people, fields, filters and orders', async () => {
  const { browser, field, pipeline, stages, people } = await withSettings()
  const lead = await add(browser, 'leads')
  const task = { text: 'Call', complete_till: 2_000_000_000, entity_id: lead, entity_type: 'leads' }
  const types = (await browser.get('/web/v4/account?with=task_types')).body._embedded.task_types
  const roles = (await browser.get('/web/v4/roles')).body._embedded.roles.map(({ id }: { id: number }) => id)
  const person = { name: 'Bob', email: 'bob@example.com', password: 'blue otter sings 9' }
  const post = async (path: string, draft: object) =>
    detailsOf(await browser.post(`/web/v4/${path}`, [draft]))
  const get = async (path: string) => detailsOf(await browser.get(`/web/v4/${path}`))
  const note = { note_type: 'common', params: { text: 'x' } }
  const required = { required_statuses: [{ pipeline_id: pipeline.id, status_id: 999_999 }] }
  expect([
    await post('tasks', { ...task, task_type_id: 999_999 }),
    await post('tasks', { ...task, responsible_user_id: 999_999 }),
    await post(`leads/${lead}/notes`, { ...note, responsible_user_id: 999_999 }),
    await post('users', { ...person, role_id: 999_999 }),
    await post('users', { ...person, group_id: 999_999 }),
    await post('leads/custom_fields', { name: 'A', type: 'text', ...required }),
    await get('tasks?filter[is_completed]=2'),
    await get('leads/notes?filter[is_pinned]=2'),
    await get('leads?order[id]=up'),
    await get('leads/notes?order[id]=up'),
    await get('tasks?order[id]=up'),
    await get(`leads/custom_fields?order[id]=up`),
    await get('events?filter[entity]=deal'),
    await get('events/types?language_code=xx'),
    await get(`leads/${lead}/links?filter[to_entity_type]=tasks`),
  ]).toEqual([
    [
      oneOf(
        'task_type_id',
        types.map(({ id }: { id: number }) => id),
      ),
    ],
    [oneOf('responsible_user_id', people)],
    [oneOf('responsible_user_id', people)],
    [oneOf('role_id', roles)],
    [oneOf('group_id', [0])],
    [oneOf('required_statuses.0.status_id', stages)],
    [oneOf('filter.is_completed', ['0', '1', 'false', 'true'])],
    [oneOf('filter.is_pinned', ['0', '1'])],
    [oneOf('order.id', ['asc', 'desc'])],
    [oneOf('order.id', ['asc', 'desc'])],
    [oneOf('order.id', ['asc', 'desc'])],
    [oneOf('order.id', ['asc', 'desc'])],
    [oneOf('filter.entity', ['lead', 'contact', 'company', 'customer', 'task', 'catalog_{id}'])],
    [oneOf('language_code', ['en', 'es', 'ru', 'pt'])],
    [oneOf('filter.to_entity_type', ['contacts', 'companies', 'catalog_elements'])],
  ])
  const [types20] = await get('events?filter[type]=none')
  expect(types20).toMatch(/^filter\.type: .* It should be one of: (\w+, ){19}\w+ and \d+ more\.$/)
  expect(field.id).toBeGreaterThan(0)
})

test('an unknown id of a large set is reported without a list', async () => {
  const { browser } = await withSettings()
  const patch = async (path: string, draft: object) =>
    detailsOf(await browser.patch(`/web/v4/${path}`, [draft]))
  expect([
    await patch('leads', { id: 999_999, name: 'x' }),
    await patch('contacts', { id: 999_999, name: 'x' }),
    await patch('tasks', { id: 999_999, text: 'x' }),
    await patch('leads/notes', { id: 999_999, params: {} }),
    await patch('catalogs', { id: 999_999, name: 'x' }),
    await patch('leads/custom_fields', { id: 999_999, name: 'x' }),
  ]).toEqual([
    ['id: There is no such lead.'],
    ['id: There is no such contact.'],
    ['id: There is no such task.'],
    ['id: There is no such note.'],
    ['id: There is no such list.'],
    ['id: There is no such field.'],
  ])
})

test('null is NotNullable where a value is required, and clears it elsewhere', async () => {
  const { browser, field } = await withSettings()
  const lead = await add(browser, 'leads', { price: 5 })
  const cleared = await browser.patch(`/web/v4/leads/${lead}`, { price: null })
  expect([cleared.status, (await browser.get(`/web/v4/leads/${lead}`)).body.price]).toEqual([200, 0])
  const values = [{ value: null }]
  const refused = await browser.patch(`/web/v4/leads/${lead}`, {
    custom_fields_values: [{ field_id: field.id, values }],
  })
  expect(refused.body['validation-errors'][0].errors).toEqual([
    {
      code: 'NotNullable',
      path: 'custom_fields_values.0.values.0.value',
      detail: 'This value should not be null.',
    },
  ])
})
