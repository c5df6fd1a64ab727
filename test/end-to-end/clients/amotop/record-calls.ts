import { deepEqual, equal, ok, partialDeepStrictEqual } from 'node:assert/strict'
import type { Calls } from '../every-method.ts'
import { hour, idsOf, now, page, type Scene } from './scene.ts'

/** Leads. */
export function leadCalls({ api, pipeline, stage }: Scene): Calls {
  let other = 0
  return {
    'api.getBaseLeadPayload': () =>
      deepEqual(api.getBaseLeadPayload('Armchair', 900), { name: 'Armchair', created_by: 0, price: 900 }),
    'api.getPipelineLeadPayload': () =>
      deepEqual(api.getPipelineLeadPayload(pipeline), { pipeline_id: pipeline, status_id: 0 }),
    'api.addLead': async () => {
      const draft = { ...api.getBaseLeadPayload('Armchair', 900), ...api.getPipelineLeadPayload(pipeline) }
      const data = await api.addLead(draft)
      other = data._embedded.leads[0].id
    },
    'api.getLeads': async () => {
      const since = { createdAtFrom: now - hour, createdAtTo: now + hour }
      const data = await api.getLeads({ ...page, query: 'Armchair', filter: since, with: 'contacts' })
      deepEqual(idsOf(data._embedded.leads), [other])
    },
    'api.getLeadsWithFilter': async () => {
      const since = { createdAtFrom: String(now - hour), createdAtTo: String(now + hour) }
      const data = await api.getLeadsWithFilter({ ...page, query: 'Armchair', filter: since })
      deepEqual(idsOf(data._embedded.leads), [other])
    },
    'api.getLeadById': async () =>
      partialDeepStrictEqual(await api.getLeadById(other, { contacts: true }), {
        name: 'Armchair',
        price: 900,
        _embedded: { contacts: [] },
      }),
    'api.updateLead': async () => {
      const data = await api.updateLead([{ id: other, price: 950, status_id: stage }] as never)
      deepEqual(idsOf(data._embedded.leads), [other])
    },
  }
}

/** Contacts and companies. */
export function contactCalls({ api, company }: Scene): Calls {
  let other = 0
  const site = {
    field_name: 'Site',
    field_code: 'WEB',
    field_type: 'url',
    values: [{ value: 'https://a.example' }],
  }
  return {
    'api.getContactPayload': () =>
      partialDeepStrictEqual(api.getContactPayload('Olga', '79990001122'), {
        name: 'Olga',
        custom_fields_values: [{ field_code: 'PHONE', values: [{ value: '79990001122' }] }],
      }),
    'api.addContact': async () => {
      const data = await api.addContact(api.getContactPayload('Olga', '79990001122'))
      other = data._embedded.contacts[0].id
    },
    'api.getContacts': async () => {
      const data = await api.getContacts({ ...page, query: '79990001122', with: 'leads' })
      deepEqual(idsOf(data._embedded.contacts), [other])
    },
    'api.getContact': async () =>
      partialDeepStrictEqual(await api.getContact(other, { leads: true }), {
        name: 'Olga',
        _embedded: { leads: [] },
      }),
    'api.updateContact': async () =>
      equal((await api.updateContact(other, { name: 'Olga Berg' })).name, 'Olga Berg'),
    'api.addCompany': async () => {
      const data = await api.addCompany({ name: 'Holm AS', custom_fields_values: [site] })
      other = data._embedded.companies[0].id
    },
    'api.getCompanies': async () =>
      deepEqual(idsOf((await api.getCompanies({ ...page, query: 'Holm AS' }))._embedded.companies), [other]),
    'api.getCompany': async () =>
      partialDeepStrictEqual(await api.getCompany(company, { leads: true }), { name: 'Lund AS' }),
  }
}

/** Links and tasks. */
export function taskCalls({ api, ada, lead, contact, company }: Scene): Calls {
  let task = 0
  const about = { entity_id: lead, entity_type: 'leads' }
  const link = { to_entity_id: contact, to_entity_type: 'contacts' }
  return {
    'api.getLeadLinks': async () => {
      await api.axios.post(`/api/v4/leads/${lead}/link`, [link])
      partialDeepStrictEqual((await api.getLeadLinks(lead))._embedded.links, [link])
    },
    'api.getContactLinks': async () => {
      const data = await api.getContactLinks(contact)
      partialDeepStrictEqual(data._embedded.links, [{ to_entity_id: lead, to_entity_type: 'leads' }])
    },
    'api.getLinksByEntityType': async () => {
      const data = await api.getLinksByEntityType('leads', lead)
      partialDeepStrictEqual(data._embedded.links, [link])
    },
    // It asks for the links of the contact that has the company's number.
    'api.getCompanyLinks': () => api.getCompanyLinks(company),
    'api.addTask': async () => {
      const draft = { ...about, text: 'Call back', complete_till: now + hour, responsible_user_id: ada.id }
      const data = await api.addTask([draft] as never)
      task = data._embedded.tasks[0].id
    },
    'api.getTasks': async () => ok(idsOf((await api.getTasks(page))._embedded.tasks).length > 0),
    'api.getTaskById': async () => equal((await api.getTaskById(task)).text, 'Call back'),
    'api.editTask': async () => {
      await api.editTask(task, { is_completed: true, result: { text: 'Was called' } })
      ok((await api.getTaskById(task)).is_completed, 'nothing changes')
    },
  }
}
