import { deepEqual, equal, ok, partialDeepStrictEqual } from 'node:assert/strict'
import type { Calls } from '../every-method.ts'
import { idsOf, page, type Scene } from './scene.ts'

type Notes = { _embedded: { notes: { id: number }[] } }

/** Notes, tags and events. */
export function logCalls({ api, lead, contact, company }: Scene): Calls {
  const draft = {
    note_type: 'common',
    params: { text: 'Wants red' },
    is_need_to_trigger_digital_pipeline: false,
  }
  let [ofLead, ofContact, ofCompany] = [0, 0, 0]
  const noteOf = (data: Notes) => data._embedded.notes[0]?.id as number
  const written = async (kind: string, id: number) =>
    noteOf((await api.axios.post(`/api/v4/${kind}/${id}/notes`, [draft])).data)
  const has = (data: Notes, id: number) => ok(idsOf(data._embedded.notes).includes(id))
  const said = (data: object) => partialDeepStrictEqual(data, { params: draft.params } as object)
  const tagNames = (data: { _embedded: { tags: { name: string }[] } }) =>
    data._embedded.tags.map(({ name }) => name)
  const addTag = (kind: string) => api.axios.post(`/api/v4/${kind}/tags`, [{ name: 'regular' }])
  return {
    'api.addNoteToLead': async () => ok(noteOf(await api.addNoteToLead(lead, draft))),
    'api.addNoteToContact': async () => ok(noteOf(await api.addNoteToContact(contact, draft))),
    'api.addNote': async () => ok(noteOf(await api.addNote('companies', company, draft))),
    'api.getLeadsNotes': async () => {
      ofLead = await written('leads', lead)
      ofContact = await written('contacts', contact)
      ofCompany = await written('companies', company)
      ok((await api.getLeadsNotes(page))._embedded.notes.length > 0)
    },
    'api.getLeadNoteById': async () => said(await api.getLeadNoteById(lead, ofLead)),
    'api.getContactsNotes': async () => has(await api.getContactsNotes(page), ofContact),
    'api.getContactNotes': async () => has(await api.getContactNotes(contact), ofContact),
    'api.getContactNoteById': async () => said(await api.getContactNoteById(contact, ofContact)),
    'api.getCompaniesNotes': async () => has(await api.getCompaniesNotes(page), ofCompany),
    'api.getCompanyNotes': async () => has(await api.getCompanyNotes(company), ofCompany),
    'api.getCompanyNoteById': async () => said(await api.getCompanyNoteById(company, ofCompany)),
    'api.getNotesByEntityType': async () => has(await api.getNotesByEntityType('companies', page), ofCompany),
    'api.getNotesByEntityId': async () => has(await api.getNotesByEntityId('companies', company), ofCompany),
    'api.getNoteById': async () => said(await api.getNoteById('companies', company, ofCompany)),
    'api.addTagForLeads': async () => {
      const data = await api.addTagForLeads({ name: 'prompt', color: 'FF8F92', request_id: 'u' })
      partialDeepStrictEqual(data._embedded.tags, [{ name: 'prompt', color: 'FF8F92', request_id: 'u' }])
    },
    'api.appendTagsToLead': async () => {
      await api.appendTagsToLead(lead, [{ name: 'prompt' }])
      const { data } = await api.axios.get(`/api/v4/leads/${lead}`)
      deepEqual(tagNames(data), ['prompt'])
    },
    'api.getLeadsTags': async () => ok(tagNames(await api.getLeadsTags(page)).includes('prompt')),
    'api.getTagsForLeads': async () => ok(tagNames(await api.getTagsForLeads(page)).includes('prompt')),
    'api.getContactsTags': async () => {
      await addTag('contacts')
      ok(tagNames(await api.getContactsTags(page)).includes('regular'))
    },
    'api.getCompaniesTags': async () => {
      await addTag('companies')
      ok(tagNames(await api.getCompaniesTags(page)).includes('regular'))
    },
    'api.getEvents': async () => {
      const data = await api.getEvents(page)
      equal(data._embedded.events.length, 250)
    },
    'api.getEventById': async () => {
      const data = await api.getEvents({ page: 1, limit: 1 })
      const [newest] = data._embedded.events
      equal((await api.getEventById(newest.id, { contacts: true })).id, newest.id)
    },
    'api.getEventTypes': async () => {
      const data = await api.getEventTypes()
      ok(data._embedded.events_types.some(({ key }: { key: string }) => key === 'lead_added'))
    },
  }
}
