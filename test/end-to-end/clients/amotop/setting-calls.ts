import { deepEqual, equal, ok, partialDeepStrictEqual } from 'node:assert/strict'
import { demo } from '../errand.ts'
import type { Calls } from '../every-method.ts'
import { idsOf, page, type Scene } from './scene.ts'

/** The account, its people, pipelines, sources and webhooks. */
export function accountCalls({ api, ada, pipeline, stage, widget }: Scene): Calls {
  const destination = 'https://hooks.example/amotop'
  let source = 0
  return {
    'api.getAccount': async () =>
      partialDeepStrictEqual(await api.getAccount({ amojoId: true, driveUrl: true, usersGroups: true }), {
        id: demo.account.id,
        amojo_id: demo.account.amojo_id,
      }),
    'api.getUsers': async () => ok(idsOf((await api.getUsers())._embedded.users).includes(ada.id)),
    'api.getUserById': async () => equal((await api.getUserById(ada.id)).amojo_id, ada.amojo_id),
    'api.getPipelines': async () =>
      ok(idsOf((await api.getPipelines())._embedded.pipelines).includes(pipeline)),
    'api.getPipelineById': async () => equal((await api.getPipelineById(pipeline)).id, pipeline),
    'api.getPipelineStatuses': async () =>
      ok(idsOf((await api.getPipelineStatuses(pipeline))._embedded.statuses).includes(stage)),
    'api.getLossReasons': async () => {
      await api.axios.post('/api/v4/leads/loss_reasons', [{ name: 'Too far', sort: 100 }])
      ok(JSON.stringify(await api.getLossReasons()).includes('Too far'))
    },
    'api.getWebhookEvents': async () => {
      const known = api.getWebhookEvents()
      equal(known.length, 31)
      await api.axios.post('/api/v4/webhooks', { destination, settings: known })
      await api.axios.delete('/api/v4/webhooks', { data: { destination } })
    },
    'api.setWebhook': async () => {
      const data = await api.setWebhook({ destination, settings: ['add_lead'] })
      partialDeepStrictEqual(data, { destination, settings: ['add_lead'] })
    },
    'api.getWebhooks': async () =>
      partialDeepStrictEqual(await api.getWebhooks(), { _embedded: { webhooks: [{ destination }] } }),
    'api.deleteWebhook': async () => {
      await api.deleteWebhook({ destination })
      ok(!JSON.stringify(await api.getWebhooks()).includes(destination))
    },
    'api.addSource': async () => {
      const draft = { name: 'Kiosk', external_id: 'kiosk', pipeline_id: pipeline }
      source = (await api.addSource([draft] as never))._embedded.sources[0].id
    },
    'api.getSources': async () => ok(idsOf((await api.getSources())._embedded.sources).includes(source)),
    'api.getSourceById': async () => equal((await api.getSourceById(source)).name, 'Kiosk'),
    'api.deleteSourceById': () => api.deleteSourceById(source),
    'api.getUrl': async () => equal((await api.getUrl('/api/v4/account', {})).id, demo.account.id),
    'api.getWidgets': async () => {
      const data = await api.getWidgets({ page: 1, limit: 50 })
      ok(data._embedded.widgets.some(({ code }: { code: string }) => code === widget))
    },
    'api.getWidget': async () => equal((await api.getWidget(widget)).code, widget),
    'api.getSalesBots': async () => ok((await api.getSalesBots())._embedded.items.length > 0),
  }
}

/** Fields and their groups. */
export function fieldCalls({ api }: Scene): Calls {
  const ids = { leads: '', contacts: '', companies: '' }
  const groups = async (kind: string) =>
    (await api.axios.get(`/api/v4/${kind}/custom_fields/groups`)).data._embedded.custom_field_groups
  type Fields = { _embedded: { custom_fields: { id: number; name: string }[] } }
  const has = (data: Fields, name: string) =>
    ok(data._embedded.custom_fields.some((one) => one.name === name))
  const hasGroup = async (answer: { _embedded: { custom_field_groups: object[] } }, kind: string) =>
    deepEqual(answer._embedded.custom_field_groups, await groups(kind))
  const isGroup = ({ id }: { id: string }) => equal(id, 'default')
  return {
    'api.addLeadsCustomFields': async () => {
      const data = await api.addLeadsCustomFields([{ name: 'Size', type: 'text' }])
      ids.leads = String(data._embedded.custom_fields[0].id)
    },
    'api.getLeadsCustomFields': async () => has(await api.getLeadsCustomFields(page), 'Size'),
    'api.getLeadsCustomFieldById': async () =>
      equal((await api.getLeadsCustomFieldById(ids.leads)).name, 'Size'),
    'api.getLeadsCustomFieldGroups': async () => hasGroup(await api.getLeadsCustomFieldGroups(), 'leads'),
    'api.getLeadsCustomFieldGroupById': async () =>
      isGroup(await api.getLeadsCustomFieldGroupById('default')),
    'api.addContactsCustomFields': async () => {
      const data = await api.addContactsCustomFields([{ name: 'Town', type: 'text' }])
      ids.contacts = String(data._embedded.custom_fields[0].id)
    },
    'api.getContactsCustomFields': async () => has(await api.getContactsCustomFields(page), 'Town'),
    'api.getContactsCustomFieldById': async () =>
      equal((await api.getContactsCustomFieldById(ids.contacts)).name, 'Town'),
    'api.getContactsCustomFieldGroups': async () =>
      hasGroup(await api.getContactsCustomFieldGroups(), 'contacts'),
    'api.getContactsCustomFieldGroupById': async () =>
      isGroup(await api.getContactsCustomFieldGroupById('default')),
    'api.getCompaniesCustomFields': async () => {
      const draft = { name: 'Trade', type: 'text' }
      const { data } = await api.axios.post('/api/v4/companies/custom_fields', [draft])
      ids.companies = String(data._embedded.custom_fields[0].id)
      has(await api.getCompaniesCustomFields(page), 'Trade')
    },
    'api.getCompaniesCustomFieldById': async () =>
      equal((await api.getCompaniesCustomFieldById(ids.companies)).name, 'Trade'),
    'api.getCompaniesCustomFieldGroups': async () =>
      hasGroup(await api.getCompaniesCustomFieldGroups(), 'companies'),
    'api.getCompaniesCustomFieldGroupById': async () =>
      isGroup(await api.getCompaniesCustomFieldGroupById('default')),
    'api.getCustomFieldsByEntityType': async () =>
      has(await api.getCustomFieldsByEntityType('companies', page), 'Trade'),
    'api.getCustomFieldById': async () =>
      equal((await api.getCustomFieldById('companies', ids.companies)).name, 'Trade'),
  }
}
