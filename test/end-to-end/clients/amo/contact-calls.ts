import { deepEqual, equal, ok, partialDeepStrictEqual } from 'node:assert/strict'
import { demo } from '../errand.ts'
import type { Calls } from '../every-method.ts'
import { openWaitingChat } from '../waiting-chat.ts'
import { idsOf } from './answers.ts'
import { now, type Scene } from './scene.ts'

/** Conversations, templates and short links. */
export function chatCalls({ amo, contact, talk }: Scene): Calls {
  let templates: number[] = []
  const draft = (name: string) => ({ name, content: 'Hello, {{contact.name}}!', is_editable: true })
  return {
    'talk.getTalkById': async () =>
      partialDeepStrictEqual(await amo.talk.getTalkById(talk.talk_id), {
        talk_id: talk.talk_id,
        contact_id: talk.contact_id,
        chat_id: talk.chat_id,
      }),
    'talk.closeTalkById': () => amo.talk.closeTalkById(talk.talk_id, { force_close: true }),
    'chat_template.addChatTemplates': async () => {
      const drafts = ['Ready', 'Late', 'Sent'].map(draft)
      const { _embedded } = await amo.chat_template.addChatTemplates(drafts as never)
      templates = idsOf(_embedded.chat_templates)
      equal(templates.length, 3)
    },
    'chat_template.getChatTemplates': async () => {
      const { _embedded } = await amo.chat_template.getChatTemplates({ limit: 50 } as never)
      ok(templates.every((id) => idsOf(_embedded.chat_templates).includes(id)))
    },
    'chat_template.getChatTemplateById': async () =>
      equal((await amo.chat_template.getChatTemplateById(templates[0] as number)).name, 'Ready'),
    'chat_template.updateChatTemplates': async () => {
      const patch = { id: templates[0] as number, ...draft('Order ready') }
      const { _embedded } = await amo.chat_template.updateChatTemplates([patch])
      partialDeepStrictEqual(_embedded.chat_templates, [{ id: templates[0], name: 'Order ready' }] as object)
    },
    'chat_template.updateChatTemplateById': async () => {
      const edited = await amo.chat_template.updateChatTemplateById(
        templates[1] as number,
        draft('Order late'),
      )
      equal(edited.name, 'Order late')
    },
    'chat_template.deleteChatTemplates': () =>
      amo.chat_template.deleteChatTemplates(templates.slice(0, 2).map((id) => ({ id }))),
    'chat_template.deleteChatTemplateById': () =>
      amo.chat_template.deleteChatTemplateById(templates[2] as number),
    'short_link.createShortLinks': async () => {
      const metadata = { entity_type: 'contacts', entity_id: contact } as const
      const link = { url: 'https://shop.example/offer', metadata }
      const { _embedded } = await amo.short_link.createShortLinks([link] as never)
      partialDeepStrictEqual(_embedded.short_links, [{ account_id: demo.account.id, metadata }] as object)
    },
  }
}

/** Incoming leads. */
export function incomingCalls({ amo, ada, pipeline, stages, talk }: Scene): Calls {
  const uids = { call: '', form: '', declined: '' }
  return {
    'unsorted.addUnsortedSip': async () => {
      const { _embedded } = await amo.unsorted.addUnsortedSip(
        ['missed-1', 'missed-2'].map((uniq) => callDraft(uniq, pipeline, ada)),
      )
      ;[uids.call = '', uids.declined = ''] = _embedded.unsorted.map(({ uid }) => uid)
      ok(uids.call && uids.declined)
    },
    'unsorted.addUnsortedForm': async () => {
      const metadata = {
        form_id: 'f-1',
        form_name: 'Ask us',
        form_page: 'https://shop.example/ask',
        ip: '203.0.113.5',
        form_sent_at: now,
        referer: 'https://search.example/',
      }
      const form = { source_name: 'Site', source_uid: 'f-1', pipeline_id: pipeline, metadata }
      const { _embedded } = await amo.unsorted.addUnsortedForm([{ ...form, request_id: 'f' }])
      partialDeepStrictEqual(_embedded.unsorted, [{ request_id: 'f', account_id: demo.account.id }])
      uids.form = _embedded.unsorted[0]?.uid as string
    },
    'unsorted.getUnsorted': async () => {
      const { _embedded } = await amo.unsorted.getUnsorted({
        filter: (filter) => filter.multi('category', ['forms']).single('pipeline_id', pipeline),
        order: { param: 'created_at', type: 'desc' },
      })
      ok(_embedded.unsorted.some(({ uid }) => uid === uids.form))
    },
    'unsorted.getUnsortedByUid': async () =>
      partialDeepStrictEqual(await amo.unsorted.getUnsortedByUid(uids.form), {
        category: 'forms',
        metadata: { form_name: 'Ask us' },
      } as object),
    'unsorted.getUnsortedSummary': async () => {
      const { total, categories } = await amo.unsorted.getUnsortedSummary()
      ok(total >= 3 && categories.sip.total >= 2 && categories.forms.total >= 1)
    },
    'unsorted.acceptUnsortedByUid': async () => {
      const accepted = await amo.unsorted.acceptUnsortedByUid(uids.call, {
        user_id: ada,
        status_id: stages[0],
      })
      const [lead = 0] = idsOf(accepted._embedded.leads)
      equal((await amo.lead.getLeadById(lead)).status_id, stages[0])
    },
    'unsorted.declineUnsortedByUid': async () =>
      equal((await amo.unsorted.declineUnsortedByUid(uids.declined, { user_id: ada })).uid, uids.declined),
    'unsorted.linkUnsortedByUid': async () => {
      await openWaitingChat()
      const chats = await amo.unsorted.getUnsorted({
        filter: (filter) => filter.multi('category', ['chats']),
      })
      const uid = chats._embedded.unsorted[0]?.uid as string
      const { _embedded } = await amo.lead.addLeads([{ name: 'From the chat' }])
      const [entity_id = 0] = idsOf(_embedded.leads)
      const metadata = { contact_id: talk.contact_id }
      const link = { entity_id, entity_type: 'leads', metadata }
      equal((await amo.unsorted.linkUnsortedByUid(uid, { user_id: ada, link })).uid, uid)
    },
  }
}

/** A call that somebody missed. */
const callDraft = (uniq: string, pipeline: number, ada: number) => ({
  source_name: 'PBX',
  source_uid: uniq,
  pipeline_id: pipeline,
  metadata: {
    from: 'PBX',
    phone: '441134960000',
    called_at: now,
    duration: 54,
    service_code: 'pbx',
    link: 'https://calls.example/1.mp3',
    call_responsible: ada,
    is_call_event_needed: true,
    uniq,
  },
  _embedded: { leads: [{ name: 'Call back' }], contacts: [{ name: 'Jo Field' }] },
})

/** Files: the service and their links to cards. */
export function fileCalls({ amo, lead, drive }: Scene): Calls {
  const files = amo.file(drive)
  let [uuid, version] = ['', '']
  let upload = ''
  return {
    'file.createSession': async () => {
      const session = await files.createSession({
        file_name: 'offer.txt',
        file_size: 5,
        content_type: 'text/plain',
        with_preview: false,
      })
      ok(session.session_id && session.max_part_size > 5)
      upload = session.upload_url
    },
    'file.uploadFileChunk': () => files.uploadFileChunk(new URL(upload).pathname.split('/').at(-1) as never),
    'file.getFiles': async () => {
      const answer = await fetch(upload, {
        method: 'POST',
        headers: { authorization: `Bearer ${amo.token?.access_token}` },
        body: 'Offer',
      })
      ;({ uuid, version_uuid: version } = (await answer.json()) as { uuid: string; version_uuid: string })
      ok((await files.getFiles())._embedded.files.some((one) => one.uuid === uuid))
    },
    'file.getFileByUUID': async () => equal((await files.getFileByUUID(uuid)).name, 'offer'),
    'file.updateFileByUUID': async () =>
      equal((await files.updateFileByUUID(uuid, { name: 'Our offer' })).name, 'Our offer'),
    'file.getFileVersionByUUID': async () => {
      const { _embedded } = await files.getFileVersionByUUID(uuid)
      partialDeepStrictEqual(_embedded.versions, [{ file_uuid: uuid, version_uuid: version }] as object)
    },
    'file.linkEntityFiles': () => files.linkEntityFiles(lead, 'leads', [{ file_uuid: uuid }]),
    'file.getEntityFiles': async () => {
      const { _embedded } = await files.getEntityFiles(lead, 'leads')
      partialDeepStrictEqual(_embedded.files, [{ file_uuid: uuid }] as object)
    },
    'file.getFileEntities': async () => {
      const { file_uuid, entities } = await files.getFileEntities(uuid as never)
      equal(file_uuid, uuid)
      deepEqual(idsOf(entities), [lead])
    },
    'file.unlinkEntityFiles': () => files.unlinkEntityFiles(lead, 'leads', [{ file_uuid: uuid }]),
    'file.deleteFiles': () => files.deleteFiles([{ uuid }]),
    'file.restoreFiles': async () => {
      const { _embedded } = await files.restoreFiles([{ uuid }])
      deepEqual(
        _embedded.files.map((one) => one.uuid),
        [uuid],
      )
    },
  }
}
