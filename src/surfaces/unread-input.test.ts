import { expect, test } from 'vitest'
import { faultsOf } from '../../test/faults.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add } from '../../test/fixtures/records.ts'
import { helper } from '../../test/fixtures/request-log.ts'
import { world } from '../../test/world.ts'

const PUBLIC = 'https://hub.example'

async function asked(calls: [method: 'get' | 'post' | 'patch', path: string, body?: unknown][]) {
  const { admin } = await world()
  const lead = await add(admin.browser, 'leads')
  const answers: unknown[] = []
  for (const [method, path, body] of calls) {
    const at = `/web/v4/${path.replace('{lead}', String(lead))}`
    const { headers } = await (method === 'get' ? admin.browser.get(at) : admin.browser[method](at, body))
    answers.push([path, headers['x-ignored']])
  }
  return answers
}

test('in development, X-Ignored lists unknown members of a body', async () => {
  const tag = { name: 'A' }
  const answers = await asked([
    ['post', 'leads', [{ name: 'A', price: 5, request_id: 'r', _embedded: { tags: [tag] } }]],
    ['post', 'leads', [{ price_rub: 5 }, { price_rub: 6, nam: 'A' }]],
    ['post', 'leads', [{ _embedded: { tags: [tag, { ...tag, colour: 'red' }], people: [{ id: 1 }] } }]],
    ['patch', 'leads/{lead}', { name: 'B', 'späße, 1': 1 }],
    ['patch', 'tasks', [{ data: { text: 'x' } }]],
    ['post', 'leads/{lead}/notes', [{ note_type: 'common', params: { text: 'x', phone: '1' } }]],
    ['post', 'leads/{lead}/notes', [{ note_type: 'sms_in', params: { text: 'x', phone: '1' } }]],
    ['post', 'leads', [Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`m${i}`, 1]))]],
  ])
  expect(answers.map((answer) => (answer as unknown[])[1])).toEqual([
    undefined,
    'price_rub, nam',
    '_embedded.tags[].colour, _embedded.people',
    'sp%C3%A4%C3%9Fe%2C%201',
    'data',
    'params.phone',
    undefined,
    `${Array.from({ length: 20 }, (_, i) => `m${i}`).join(', ')}, ...`,
  ])
})

test('X-Ignored lists unknown parameters of a query and unknown values of `with`', async () => {
  const cases: [string, string | undefined][] = [
    ['leads?page=1&limit=5&with=contacts,loss_reason&query=x&order[id]=asc', undefined],
    ['leads?filter[price][from]=1&filter[created_at]=5&filter[id][]=1&filter[id][]=2', undefined],
    ['leads?filter[statuses][0][pipeline_id]=1&filter[statuses][0][status_id]=1', undefined],
    ['leads?filter[custom_fields_values][5][]=x', undefined],
    ['leads?filter[foo]=1&order[name_of]=asc&limits=5', 'filter[foo], order[name_of], limits'],
    ['leads?filter[price][form]=1', 'filter[price][form]'],
    ['leads?with=contacts,lead_names', 'with=lead_names'],
    ['leads?filter=lead&order=asc', 'filter, order'],
    ['events?filter[type]=lead_added&filter[entities]=lead&limit=1', 'filter[entities]'],
    ['events?filter[value_after][value]=x&filter[type]=name_field_changed', undefined],
    ['leads/notes?filter[type]=sms_in', 'filter[type]'],
    ['leads/notes?filter[note_type]=sms_in&filter[updated_at]=5&order[updated_at]=desc', undefined],
    ['tasks?filter[is_completed]=0&filter[is_done]=0', 'filter[is_done]'],
    ['tasks?filter[task_type]=1', undefined],
    ['tasks?filter[task_type_id]=1', undefined],
    ['catalogs/1/elements?id[]=1&id[]=2', undefined],
    ['account?with=task_types,amojo_id', undefined],
    ['leads/pipelines?with=x', 'with=x'],
    ['catalogs?filter[type]=invoices', undefined],
    ['leads/custom_fields?filter[type]=text&order[sort]=asc', undefined],
    ['leads/{lead}/links?filter[to_entity_type]=contacts&filter[to_entity_id]=1', undefined],
    ['leads/tags?filter[name]=a&query=a&filter[id]=1', undefined],
    ['chats?filter[state]=open&query=x', undefined],
    ['leads/{lead}/timeline?filter[kind]=notes', undefined],
    ['leads/totals?filter[price][to]=5&query=x', undefined],
    ['jobs?filter[state]=done', undefined],
    ['users?with=role,group', undefined],
  ]
  const answers = await asked(cases.map(([path]) => ['get', path]))
  expect(answers).toEqual(cases)
})

test('clients with tokens get X-Ignored, too; a public server does not send it', async () => {
  const here = await world()
  const { access_token } = await connect(here.stranger, await register(here.admin))
  const answer = await here.stranger.as({ token: access_token }).get('/api/v4/leads?filter[foo]=1')
  expect(answer.headers['x-ignored']).toBe('filter[foo]')
  const env = { PUBLIC_URL: PUBLIC, TRUST_PROXY: '127.0.0.1' }
  const served = await world({ mode: 'serve', env })
  const silent = await served.admin.browser.post('/web/v4/leads?filter[foo]=1', [{ nam: 'A' }])
  expect([silent.status, silent.headers['x-ignored']]).toEqual([200, undefined])
})

test('the test helpers refuse what nothing reads, because a misspelt filter would match every request', async () => {
  const here = await world()
  const ask = async (path: string) => faultsOf(await helper(here).get(`/test_helpers/${path}`))
  expect([
    await ask('requests/wait?pth=/api/v4/leads&timeout=0'),
    await ask('requests?status=4xx&account=demo&filter[status]=404'),
    await ask('deliveries?states=failed'),
    await ask('triggers?account=demo'),
  ]).toEqual([
    [400, '0 NotSupportedChoice pth'],
    [400, '0 NotSupportedChoice filter[status]'],
    [400, '0 NotSupportedChoice states'],
    [200],
  ])
  const question = { url: '/v2/origin/custom/x', headers: {}, body: '', bdy: '' }
  const checked = await helper(here).post('/test_helpers/signatures/check', question)
  expect(faultsOf(checked)).toEqual([400, '0 NotSupportedChoice bdy'])
})
