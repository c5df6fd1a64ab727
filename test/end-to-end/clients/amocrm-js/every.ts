/** Every method of `amocrm-js`: its connection, its factories, and records of each kind. */
import { Client } from 'amocrm-js'
import { demo, freshCode, host } from '../errand.ts'
import { hiddenIn, openWalk } from '../every-method.ts'
import { connectionCalls, requestCalls } from './connection-calls.ts'
import { pageCalls, partCalls } from './list-calls.ts'
import { entityCalls, factoryCalls, type Kind } from './record-calls.ts'

const soon = Math.floor(Date.now() / 1000) + 3600
const auth = { ...demo.integration, code: await freshCode() }
const client = new Client({ domain: host, auth })

// The records of the lists come from another client, so that nothing else is in their way.
const { leads } = new Client({ domain: host, auth: { ...auth, code: await freshCode() } })
const rows = await leads.create(['Desk', 'Lamp', 'Rug', 'Sofa'].map((name) => ({ name })))
const ids = rows.map(({ id }) => id as number)

const { watch, run } = openWalk('amocrm-js')
const hidden = (path: string) => hiddenIn(`amocrm-js/dist/${path}.d.ts`)
watch('client', client)
watch('environment', client.environment)
watch('auth', client.auth)
watch('token', client.token, hidden('common/Token'))
watch('connection', client.connection, hidden('common/Connection'))
watch('request', client.request)

const kind = (name: string, factory: unknown, draft: object, change: object, path = name): Kind => ({
  ...{ name, factory, draft, change },
  path: `/api/v4/${path}`,
})
const kinds = [
  kind('leads', client.leads, { name: 'Sofa', price: 900 }, { price: 950 }),
  kind('contacts', client.contacts, { name: 'Nora' }, { name: 'Ida' }),
  kind('companies', client.companies, { name: 'Lund AS' }, { name: 'Lund ASA' }),
  kind('tasks', client.tasks, { text: 'Call', complete_till: soon }, { text: 'Visit' }),
]
const [lead, contact, company, task] = [
  new client.Lead({}),
  new client.Contact({}),
  new client.Company({}),
  new client.Task({}),
]
const records = { lead, contact, company, task }
for (const { name, factory } of kinds) watch(name, factory as object)
for (const [name, record] of Object.entries(records)) watch(name, record)

const tags = kind('tags', client.leads.tags, { name: 'urgent' }, {}, 'leads/tags')
watch('tags', client.leads.tags)
const own = new Set(Object.keys(client.leads.tags))

const page = watch(
  'page',
  await leads.get({ limit: 2, order: { id: 'asc' }, filter: { id: ids } } as never),
  hidden('api/ResourcePagination'),
)
const tagged = new client.Lead({ id: ids[0] as number, name: 'Desk' })
const aboutIt = { entity_id: ids[0], entity_type: 'leads', text: 'Call back', complete_till: soon }
const called = new client.Task(aboutIt as never)
await called.save()
watch('embedded', tagged.embeddedTags, hidden('api/activeRecords/common/EmbeddedEntityList'))
watch('tasksOfLead', tagged.tasks)
watch('recordOfTask', called.entity)

await run(
  connectionCalls(client),
  requestCalls(client),
  ...kinds.map((kind) => factoryCalls(client, kind)),
  factoryCalls(client, tags, (method) => own.has(method)),
  ...Object.entries(records).map(([name, record], i) => entityCalls(name, kinds[i] as Kind, record)),
  pageCalls(page, ids),
  partCalls(tagged, called),
)
