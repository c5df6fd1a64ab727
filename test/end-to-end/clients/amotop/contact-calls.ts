import { equal, ok, partialDeepStrictEqual } from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type amotop from '@mobilon-dev/amotop'
import { demo } from '../errand.ts'
import type { Calls } from '../every-method.ts'
import { openWaitingChat } from '../waiting-chat.ts'
import { idsOf, now, page, type Scene } from './scene.ts'

/** Calls, conversations, templates and short links. */
export function chatCalls({ api, ada, contact, talk }: Scene): Calls {
  let template = 0
  return {
    'api.notifyPhoneCall': async () => {
      const { _embedded } = await api.notifyPhoneCall('79990001122', [ada.id])
      partialDeepStrictEqual(_embedded.items, [{ phone_number: '79990001122' }])
    },
    'api.addPhoneCall': async () => {
      const people = { call_responsible: ada.id, responsible_user_id: ada.id }
      const call = {
        direction: 'inbound' as never,
        duration: 75,
        source: 'PBX',
        phone: '79990001122',
        ...people,
      }
      partialDeepStrictEqual((await api.addPhoneCall(call))._embedded.calls, [{ entity_type: 'contact' }])
    },
    'api.getTalks': async () => ok((await api.getTalks(page))._embedded.talks.length > 0),
    'api.getTalkById': async () => equal((await api.getTalkById(talk.talk_id)).chat_id, talk.chat_id),
    'api.closeTalkById': () => api.closeTalkById(talk.talk_id, true),
    'api.attachChatToContact': async () => {
      const { chat_id, contact_id } = talk
      partialDeepStrictEqual(await api.attachChatToContact(chat_id, contact_id), {
        _embedded: { chats: [{ chat_id, contact_id }] },
      })
    },
    'api.getContactChats': async () =>
      ok(JSON.stringify(await api.getContactChats(talk.contact_id)).includes(talk.chat_id)),
    'api.getContactsChats': async () =>
      ok(JSON.stringify(await api.getContactsChats([talk.contact_id])).includes(talk.chat_id)),
    'api.getShortLinkForContact': async () => {
      const answer = await api.getShortLinkForContact('https://shop.example/offer', contact)
      partialDeepStrictEqual(answer._embedded.short_links, [{ account_id: demo.account.id }])
    },
    'api.addTemplate': async () => {
      const data = await api.addTemplate([{ name: 'Ready', content: 'Your order is ready.' }] as never)
      template = data._embedded.chat_templates[0].id
    },
    'api.getTemplates': async () => {
      const data = await api.getTemplates({ page: 1, limit: 50 })
      ok(idsOf(data._embedded.chat_templates).includes(template))
    },
    'api.getTemplateById': async () => equal((await api.getTemplateById(String(template))).name, 'Ready'),
    'api.updateTemplateById': async () => {
      const patch = { name: 'Order ready', content: 'It is ready.' }
      equal((await api.updateTemplateById(String(template), patch)).name, 'Order ready')
    },
    'api.deleteTemplateById': () => api.deleteTemplateById(String(template)),
  }
}

/** Incoming leads. */
export function incomingCalls({ api, ada, pipeline, stage, lead, talk }: Scene): Calls {
  const uids = { call: '', form: '' }
  const sip = {
    source_name: 'PBX',
    source_uid: 'a-1',
    pipeline_id: pipeline,
    metadata: {
      from: 'PBX',
      phone: '441134960001',
      called_at: now,
      duration: 54,
      service_code: 'pbx',
      uniq: 'a-1',
    },
  }
  const form = {
    source_name: 'Site',
    source_uid: 'a-2',
    pipeline_id: pipeline,
    metadata: {
      form_id: 'a',
      form_name: 'Ask us',
      form_page: 'https://a.example/ask',
      ip: '203.0.113.5',
      form_sent_at: now,
    },
  }
  return {
    'api.addUnsortedSip': async () => {
      uids.call = (await api.addUnsortedSip([sip] as never))._embedded.unsorted[0].uid
    },
    'api.addUnsortedForms': async () => {
      uids.form = (await api.addUnsortedForms([form] as never))._embedded.unsorted[0].uid
    },
    'api.getUnsorted': async () => {
      const data = await api.getUnsorted(page)
      ok(data._embedded.unsorted.some(({ uid }: { uid: string }) => uid === uids.form))
    },
    'api.getUnsortedSummary': async () => ok((await api.getUnsortedSummary()).total >= 2),
    'api.getUnsortedByUID': async () => equal((await api.getUnsortedByUID(uids.form)).category, 'forms'),
    'api.acceptUnsorted': async () =>
      equal((await api.acceptUnsorted(uids.call, ada.id, stage)).uid, uids.call),
    'api.declineUnsorted': async () => equal((await api.declineUnsorted(uids.form)).uid, uids.form),
    'api.linkUnsorted': async () => {
      await openWaitingChat()
      const { data } = await api.axios.get('/api/v4/leads/unsorted?filter[category][]=chats')
      const [{ uid }] = data._embedded.unsorted
      const link = { entity_id: lead, entity_type: 'leads', metadata: { contact_id: talk.contact_id } }
      equal((await api.linkUnsorted(uid, { user_id: ada.id, link })).uid, uid)
    },
  }
}

/** Files and their links to cards. */
export function fileCalls(
  { api, lead, contact, company }: Scene,
  files: InstanceType<typeof amotop.AmoFileClient>,
): Calls {
  let uuid = ''
  const has = (answer: object) => ok(JSON.stringify(answer).includes(uuid))
  return {
    'files.hasFilesScope': () => equal(files.hasFilesScope(), true),
    'files.hasFilesDeleteScope': () => equal(files.hasFilesDeleteScope(), true),
    'files.uploadFile': async () => {
      const path = join(tmpdir(), `amotop-${process.pid}.txt`)
      writeFileSync(path, 'An offer.\n'.repeat(20_000))
      const uploaded = await files.uploadFile('offer.txt', path, 'text/plain').finally(() => rmSync(path))
      equal(uploaded.size, 200_000)
      uuid = uploaded.uuid as string
    },
    'files.getFiles': async () => has(await files.getFiles()),
    'files.getFileByUUID': async () => equal((await files.getFileByUUID(uuid)).name, 'offer'),
    'files.restoreFileByUUID': async () => has(await files.restoreFileByUUID(uuid)),
    'api.linkFileToLead': () => api.linkFileToLead(uuid, lead),
    'api.linkFileToContact': () => api.linkFileToContact(uuid, contact),
    'api.getLeadFiles': async () => has(await api.getLeadFiles(lead)),
    'api.getContactFiles': async () => has(await api.getContactFiles(contact)),
    'api.getEntityFiles': async () => has(await api.getEntityFiles('contacts', contact)),
    'api.getCompanyFiles': async () => {
      await api.axios.put(`/api/v4/companies/${company}/files`, [{ file_uuid: uuid }])
      has(await api.getCompanyFiles(company))
    },
  }
}
