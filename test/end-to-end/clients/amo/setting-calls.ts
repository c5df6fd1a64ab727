import { deepEqual, equal, ok, partialDeepStrictEqual } from 'node:assert/strict'
import { demo } from '../errand.ts'
import type { Calls } from '../every-method.ts'
import { embeddedOf, idsOf, self } from './answers.ts'
import type { Scene } from './scene.ts'

/** The account, its people and its pipelines. */
export function accountCalls({ amo, ada }: Scene): Calls {
  let [pipeline, stage, role] = [0, 0, 0]
  return {
    'account.getAccount': async () =>
      partialDeepStrictEqual(await amo.account.getAccount({ with: ['amojo_id', 'task_types'] }), {
        id: demo.account.id,
        amojo_id: demo.account.amojo_id,
        ...self('/account'),
      }),
    'user.getUsers': async () => ok((await amo.user.getUsers({ with: ['role', 'group'] }))._total_items >= 2),
    'user.getUserById': async () => equal((await amo.user.getUserById(ada)).email, demo.user.email),
    'user.addUsers': async () => {
      const rights = { leads: { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'A' } }
      const draft = {
        name: 'Otto Rask',
        email: 'otto@demo.example',
        password: 'an-Uncommon-0ne',
        lang: 'en',
        rights,
      }
      const { _embedded } = await amo.user.addUsers([draft as never])
      partialDeepStrictEqual(_embedded.users, [{ name: 'Otto Rask', email: 'otto@demo.example' }])
    },
    'user.addRoles': async () => {
      const leads = { view: 'A', edit: 'A', add: 'A', delete: 'D', export: 'D' }
      const { _embedded } = await amo.user.addRoles([{ name: 'Trainee', rights: { leads } } as never])
      partialDeepStrictEqual(_embedded.roles, [{ name: 'Trainee', rights: { leads } }] as object[])
      role = _embedded.roles[0]?.id as number
    },
    'user.getRoles': async () => {
      const { _embedded } = await amo.user.getRoles({ with: ['users'] })
      ok(idsOf(_embedded.roles).includes(role))
    },
    'user.getRoleById': async () => equal((await amo.user.getRoleById(role)).name, 'Trainee'),
    'user.updateRoleById': async () => {
      const { rights } = await amo.user.getRoleById(role)
      equal((await amo.user.updateRoleById(role, { name: 'Beginner', rights } as never)).name, 'Beginner')
    },
    'user.deleteRoleById': async () => {
      await amo.user.deleteRoleById(role)
      ok(!idsOf((await amo.user.getRoles())._embedded.roles).includes(role))
    },
    'pipeline.addPipelines': async () => {
      const statuses = [{ name: 'Asked', sort: 20, color: '#fffeb2' as const }]
      const added = await amo.pipeline.addPipelines([
        { name: 'Wholesale', sort: 20, is_main: false, is_unsorted_on: true, _embedded: { statuses } },
      ])
      pipeline = idsOf(embeddedOf(added).pipelines)[0] as number
    },
    'pipeline.getPipelines': async () =>
      ok(idsOf((await amo.pipeline.getPipelines())._embedded.pipelines).includes(pipeline)),
    'pipeline.getPipelineById': async () =>
      equal((await amo.pipeline.getPipelineById(pipeline)).name, 'Wholesale'),
    'pipeline.updatePipelinesById': async () =>
      equal((await amo.pipeline.updatePipelinesById(pipeline, { name: 'Trade' })).name, 'Trade'),
    'pipeline.addStatuses': async () => {
      const draft = { name: 'Offer', sort: 30, color: '#ffdc7f' } as const
      stage = idsOf((await amo.pipeline.addStatuses(pipeline, [draft]))._embedded.statuses)[0] as number
    },
    'pipeline.getStatusesByPipelineId': async () =>
      ok(idsOf(embeddedOf(await amo.pipeline.getStatusesByPipelineId(pipeline)).statuses).includes(stage)),
    'pipeline.getStatusesById': async () =>
      equal((await amo.pipeline.getStatusesById(stage, pipeline)).name, 'Offer'),
    'pipeline.updateStatusById': async () =>
      equal((await amo.pipeline.updateStatusById(stage, pipeline, { name: 'Offered' })).name, 'Offered'),
    'pipeline.deleteStatusById': async () => {
      await amo.pipeline.deleteStatusById(stage, pipeline)
      ok(!idsOf(embeddedOf(await amo.pipeline.getStatusesByPipelineId(pipeline)).statuses).includes(stage))
    },
    'pipeline.deletePipelineById': async () => {
      await amo.pipeline.deletePipelineById(pipeline)
      ok(!idsOf((await amo.pipeline.getPipelines())._embedded.pipelines).includes(pipeline))
    },
  }
}

/** Fields and their groups. */
export function fieldCalls({ amo }: Scene): Calls {
  const fields = amo.custom_fields
  let [field, group] = [0, '']
  return {
    'custom_fields.addCustomFields': async () => {
      const enums = ['red', 'blue'].map((value, sort) => ({ value, sort }))
      const added = await fields.addCustomFields('leads', [{ name: 'Colour', type: 'select', enums }])
      field = idsOf(added._embedded.custom_fields)[0] as number
    },
    'custom_fields.getCustomFields': async () => {
      const { _embedded } = await fields.getCustomFields('leads', undefined, { limit: 250 })
      ok(idsOf(_embedded.custom_fields).includes(field))
    },
    'custom_fields.getCustomFieldById': async () =>
      partialDeepStrictEqual(await fields.getCustomFieldById(field, 'leads'), {
        name: 'Colour',
        enums: [{ value: 'red' }, { value: 'blue' }],
      }),
    'custom_fields.updateCustomFields': async () => {
      const edited = await fields.updateCustomFields('leads', [{ id: field, name: 'Colours' }])
      partialDeepStrictEqual(edited._embedded.custom_fields, [{ id: field, name: 'Colours' }])
    },
    'custom_fields.updateCustomFieldById': async () =>
      equal((await fields.updateCustomFieldById(field, 'leads', { name: 'Tint' })).name, 'Tint'),
    'custom_fields.addCustomFieldsGroups': async () => {
      const { _embedded } = await fields.addCustomFieldsGroups('leads', [{ name: 'Size', sort: 5 } as never])
      partialDeepStrictEqual(_embedded.custom_field_groups, [{ name: 'Size' }] as object[])
    },
    'custom_fields.getCustomFieldsGroups': async () => {
      const url = '/api/v4/leads/custom_fields/groups'
      type Added = { _embedded: { custom_field_groups: { id: string }[] } }
      const added = await amo.raw.post<Added>({ url, payload: [{ name: 'Look', sort: 5 }] })
      group = added._embedded.custom_field_groups[0]?.id as string
      const { _embedded } = await fields.getCustomFieldsGroups('leads')
      ok(_embedded.custom_field_groups.some(({ id }) => id === group))
    },
    'custom_fields.getCustomFieldsByGroupId': async () =>
      partialDeepStrictEqual(await fields.getCustomFieldsByGroupId(group as never, 'leads'), {
        name: 'Look',
      } as object),
    'custom_fields.updateCustomFieldsGroupById': async () => {
      const patch = { name: 'Appearance', sort: 6, fields: [field] }
      const edited = await fields.updateCustomFieldsGroupById(group as never, 'leads', patch)
      equal(edited.name, 'Appearance')
      equal((await fields.getCustomFieldById(field, 'leads')).group_id, group)
    },
    'custom_fields.deleteCustomFieldsGroupById': () =>
      fields.deleteCustomFieldsGroupById(group as never, 'leads'),
    'custom_fields.deleteCustomFieldById': async () => {
      await fields.deleteCustomFieldById(field, 'leads')
      const { _embedded } = await fields.getCustomFields('leads', undefined, { limit: 250 })
      ok(!idsOf(_embedded.custom_fields).includes(field))
    },
  }
}

/** Sources, webhooks, widgets and bots. */
export function integrationCalls({ amo, lead, pipeline, widget }: Scene): Calls {
  let [shop, stall] = [0, 0]
  const destination = 'https://hooks.example/amo'
  return {
    'source.addSources': async () => {
      const drafts = ['Shop', 'Stall'].map((name) => ({
        name,
        external_id: name.toLowerCase(),
        pipeline_id: pipeline,
      }))
      ;[shop = 0, stall = 0] = idsOf((await amo.source.addSources(drafts))._embedded.sources)
    },
    'source.getSources': async () => {
      const { _embedded } = await amo.source.getSources({
        filter: (filter) => filter.multi('external_id', ['shop']),
      })
      deepEqual(idsOf(_embedded.sources), [shop])
    },
    'source.getSourceById': async () => equal((await amo.source.getSourceById(stall)).name, 'Stall'),
    'source.updateSources': async () => {
      const { _embedded } = await amo.source.updateSources([{ id: shop, name: 'Store' }])
      partialDeepStrictEqual(_embedded.sources, [{ id: shop, name: 'Store' }])
    },
    'source.updateSourceById': async () =>
      equal((await amo.source.updateSourceById(stall, { name: 'Booth' })).name, 'Booth'),
    'source.deleteSources': () => amo.source.deleteSources([{ id: shop }] as never),
    'source.deleteSourceById': () => amo.source.deleteSourceById(stall),
    'webhook.addWebhook': async () =>
      partialDeepStrictEqual(await amo.webhook.addWebhook({ destination, settings: ['add_lead'], sort: 1 }), {
        destination,
        settings: ['add_lead'],
        disabled: false,
      }),
    'webhook.getWebhooks': async () => {
      const { _embedded } = await amo.webhook.getWebhooks({
        filter: (filter) => filter.single('destination', destination),
      })
      equal(_embedded.webhooks.length, 1)
    },
    'webhook.deleteWebhook': async () => {
      await amo.webhook.deleteWebhook({ destination })
      ok(!JSON.stringify(await amo.webhook.getWebhooks().catch(() => '')).includes(destination))
    },
    'widget.getWidgets': async () => {
      const { _embedded } = await amo.widget.getWidgets({ limit: 50 })
      deepEqual(
        _embedded.widgets.map(({ code }) => code),
        [widget],
      )
    },
    'widget.getWidgetByCode': async () => equal((await amo.widget.getWidgetByCode(widget)).code, widget),
    'widget.addWidgetByCode': async () => {
      const settings = { login: 'acme', password: 'secret' }
      partialDeepStrictEqual(await amo.widget.addWidgetByCode(widget, settings), { code: widget, settings })
    },
    'widget.deleteWidgetByCode': async () => {
      await amo.widget.deleteWidgetByCode(widget)
      equal((await amo.widget.getWidgetByCode(widget)).is_active_in_account, false)
    },
    'salesbot.runTask': async () => {
      type Bots = { _embedded: { items: { id: number }[] } }
      const { _embedded } = await amo.raw.get<Bots>({ url: '/api/v4/bots' })
      const task = { bot_id: _embedded.items[0]?.id as number, entity_id: lead, entity_type: 2 }
      equal((await amo.salesbot.runTask([task])).success, true)
    },
  }
}
