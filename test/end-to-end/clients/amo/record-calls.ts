import { deepEqual, equal, ok, partialDeepStrictEqual } from 'node:assert/strict'
import type { Calls } from '../every-method.ts'
import { idsOf, self } from './answers.ts'
import type { Scene } from './scene.ts'

/** Leads. */
export function leadCalls({ amo, ada, lead }: Scene): Calls {
  let other = 0
  return {
    'lead.addLeads': async () => {
      const { _embedded } = await amo.lead.addLeads([{ name: 'Sofa', price: 900, responsible_user_id: ada }])
      other = idsOf(_embedded.leads)[0] as number
      ok(other > lead)
    },
    'lead.getLeads': async () => {
      const { _embedded } = await amo.lead.getLeads({
        filter: (filter) => filter.multi('id', [lead, other]),
        order: { param: 'id', type: 'asc' },
        with: ['contacts'],
      })
      deepEqual(idsOf(_embedded.leads), [lead, other])
    },
    'lead.getLeadById': async () =>
      partialDeepStrictEqual(await amo.lead.getLeadById(other, { with: ['contacts', 'loss_reason'] }), {
        name: 'Sofa',
        price: 900,
        _embedded: { contacts: [], loss_reason: [] },
        ...self(`/leads/${other}`),
      }),
    'lead.updateLeads': async () => {
      const { _embedded } = await amo.lead.updateLeads([{ id: other, price: 950 }])
      deepEqual(idsOf(_embedded.leads), [other])
    },
    'lead.updateLeadById': async () => equal((await amo.lead.updateLeadById(other, { price: 1 })).id, other),
    'lead.addComplex': async () => {
      const draft = {
        name: 'Form',
        _embedded: { contacts: [{ name: 'Cleo' }], companies: [{ name: 'Dee' }] },
      }
      const [added] = await amo.lead.addComplex([draft])
      ok(added?.contact_id && added.company_id && !added.merged)
    },
    'lead.getLeadSubscriptionById': async () => {
      const { _embedded } = await amo.lead.getLeadSubscriptionById(lead)
      partialDeepStrictEqual(_embedded.subscriptions, [{ subscriber_id: ada, type: 'user' }])
    },
  }
}

/** Contacts and companies. */
export function contactCalls({ amo, company, talk }: Scene): Calls {
  let other = 0
  return {
    'contact.addContacts': async () => {
      const { _embedded } = await amo.contact.addContacts([{ first_name: 'Otto', last_name: 'Rask' }])
      other = idsOf(_embedded.contacts)[0] as number
    },
    'contact.getContacts': async () =>
      deepEqual(idsOf((await amo.contact.getContacts({ query: 'Otto Rask' }))._embedded.contacts), [other]),
    'contact.getContactById': async () =>
      partialDeepStrictEqual(await amo.contact.getContactById(other, { with: ['leads'] }), {
        name: 'Otto Rask',
        _embedded: { leads: [] },
      }),
    'contact.updateContacts': async () => {
      const { _embedded } = await amo.contact.updateContacts([{ id: other, last_name: 'Dahl' }])
      partialDeepStrictEqual(_embedded.contacts, [{ id: other, name: 'Otto Dahl' }])
    },
    'contact.updateContactById': async () =>
      equal((await amo.contact.updateContactById(other, { first_name: 'Ole' })).name, 'Ole Dahl'),
    'contact.linkContactToChat': async () => {
      const { chat_id, contact_id } = talk
      const { _embedded } = await amo.contact.linkContactToChat([{ chat_id, contact_id, request_id: '0' }])
      partialDeepStrictEqual(_embedded.chats, [{ chat_id, contact_id, request_id: '0' }])
    },
    'contact.getContactToChat': async () => {
      const { chat_id, contact_id } = talk
      const { _embedded } = await amo.contact.getContactToChat({ contact_id: [contact_id] } as never)
      ok(_embedded.chats.some((one) => one.chat_id === chat_id))
    },
    'company.addCompanies': async () => {
      other = idsOf((await amo.company.addCompanies([{ name: 'Rask AS' }]))._embedded.companies)[0] as number
    },
    'company.getCompanies': async () =>
      deepEqual(idsOf((await amo.company.getCompanies({ query: 'Rask AS' }))._embedded.companies), [other]),
    'company.getCompanyById': async () =>
      partialDeepStrictEqual(await amo.company.getCompanyById(company, { with: ['contacts'] }), {
        name: 'Tveit AS',
        _embedded: { contacts: [] },
      }),
    'company.updateCompanies': async () => {
      const { _embedded } = await amo.company.updateCompanies([{ id: other, name: 'Dahl AS' }])
      partialDeepStrictEqual(_embedded.companies, [{ id: other, name: 'Dahl AS' }])
    },
    'company.updateCompaniesById': async () =>
      equal((await amo.company.updateCompaniesById(other, { name: 'Berg AS' })).name, 'Berg AS'),
  }
}

/** Links between records. */
export function linkCalls({ amo, lead, contact, company }: Scene): Calls {
  return {
    'link.addLinksByEntityType': async () => {
      const link = { entity_id: lead, to_entity_id: contact, to_entity_type: 'contacts' } as const
      const { _embedded } = await amo.link.addLinksByEntityType('leads', [link])
      partialDeepStrictEqual(_embedded.links, [{ ...link, entity_type: 'leads' }])
    },
    'link.addLinksByEntityId': async () => {
      const link = { to_entity_id: company, to_entity_type: 'companies' } as const
      const { _embedded } = await amo.link.addLinksByEntityId(lead, 'leads', [link])
      partialDeepStrictEqual(_embedded.links, [{ ...link, entity_id: lead }])
    },
    'link.getLinksByEntityType': async () => {
      const { _embedded } = await amo.link.getLinksByEntityType('leads', {
        filter: (filter) => filter.multi('entity_id', [lead]),
      })
      deepEqual(_embedded.links.map(({ to_entity_id }) => to_entity_id).sort(), [contact, company].sort())
    },
    'link.getLinksByEntityId': async () =>
      equal((await amo.link.getLinksByEntityId(lead, 'leads'))._embedded.links.length, 2),
    'link.deleteLinksByEntityId': () =>
      amo.link.deleteLinksByEntityId(lead, 'leads', [{ to_entity_id: company, to_entity_type: 'companies' }]),
    'link.deleteLinksByEntityType': () =>
      amo.link.deleteLinksByEntityType('leads', [
        { entity_id: lead, to_entity_id: contact, to_entity_type: 'contacts' },
      ]),
  }
}
