import { textOf } from './conversations.ts'
import { addIncoming } from './incoming-leads.ts'
import { ask, type Case } from './webhook-cases.ts'
import { NOW, type Scene, THEN } from './webhook-items.ts'
import type { Item } from './webhooks.ts'

/** A form that waits. The account takes each `source_uid` once. */
const addForm = async ({ api }: Scene, source_uid: string) => ({
  ...(await addIncoming(api, 'forms', { source_uid })),
  source_uid,
})
type Form = Awaited<ReturnType<typeof addForm>>

/** The item of an incoming form. */
const formItem = (
  { ada, pipeline, stages }: Scene,
  { uid, source_uid, lead }: Form,
  at: string,
  name: string,
) => ({
  uid,
  source: 'Our site',
  source_uid,
  category: 'forms',
  source_data: {
    form_id: 'f1',
    form_name: 'Ask us',
    from: 'https://shop.example',
    date: at,
    origin: { ip: '192.0.2.1', datetime: at },
  },
  date_create: at,
  data: {
    leads: [
      {
        id: String(lead),
        status_id: stages[0],
        pipeline_id: pipeline,
        name,
        created_user_id: ada,
        date_create: at,
      },
    ],
  },
  pipeline_id: pipeline,
  account_id: '1',
  lead_id: String(lead),
  created_at: at,
})

/** The talk of a customer who wrote first, from the public API. */
async function talkOf(scene: Scene, chat: string) {
  const { _embedded } = await ask(scene, 'GET', 'talks')
  const talk = _embedded.talks.find(({ chat_id }: { chat_id: string }) => chat_id === chat)
  const { talk_id, contact_id, entity_id, entity_type } = talk
  const origin = scene.line.channel.id
  return {
    chat,
    origin,
    entity_type,
    id: String(talk_id),
    contact: String(contact_id),
    entity: String(entity_id),
  }
}
type Talk = Awaited<ReturnType<typeof talkOf>>

const talkItem = (talk: Talk, created: string, isOpen: boolean) => ({
  talk_id: talk.id,
  created_at: created,
  updated_at: NOW,
  rate: '0',
  contact_id: talk.contact,
  chat_id: talk.chat,
  entity_id: talk.entity,
  entity_type: talk.entity_type,
  is_in_work: isOpen ? '1' : '0',
  is_read: '1',
  origin: talk.origin,
})

/** Pushes a message of a customer, through the API of chats. */
async function write({ line, here }: Scene, who: string) {
  const { status, text, body } = await line.push(textOf(here, who, 'Is it there?'))
  if (status !== 200) throw new Error(`not pushed: ${text}`)
  const { conversation_id, sender_id, msgid } = body.new_message
  return { chat: conversation_id as string, sender: sender_id as string, message: msgid as string }
}
type Written = Awaited<ReturnType<typeof write>>

/** A customer writes for the first time. `item` is what a code announces about it. */
const firstMessage =
  (item: (scene: Scene, talk: Talk, written: Written) => Item): Case =>
  async (scene) => {
    let [written, talk]: [Written?, Talk?] = []
    return {
      act: async () => {
        written = await write(scene, 'sue')
        talk = await talkOf(scene, written.chat)
      },
      item: () => item(scene, talk as Talk, written as Written),
    }
  }

export const chatCases = {
  add_unsorted: async (scene) => {
    let form: Form | undefined
    return {
      act: async () => {
        form = await addForm(scene, 'added')
      },
      item: () => formItem(scene, form as Form, NOW, 'Ask us'),
    }
  },
  update_unsorted: async (scene) => {
    const form = await addForm(scene, 'changed')
    return {
      act: () => ask(scene, 'PATCH', `leads/${form.lead}`, { name: 'New' }),
      item: () => formItem(scene, form, THEN, 'New'),
    }
  },
  delete_unsorted: async (scene) => {
    const { uid, lead, contact } = await addForm(scene, 'accepted')
    return {
      act: () => ask(scene, 'POST', `leads/unsorted/${uid}/accept`),
      item: () => ({
        action: 'accept',
        uid,
        category: 'forms',
        account_id: '1',
        created_at: THEN,
        modified_user_id: scene.ada,
        accept_result: { leads: [String(lead)], contacts: [String(contact)] },
      }),
    }
  },
  add_talk: firstMessage((_, talk) => talkItem(talk, NOW, true)),
  update_talk: async (scene) => {
    const talk = await talkOf(scene, (await write(scene, 'ann')).chat)
    return {
      act: () => ask(scene, 'POST', `talks/${talk.id}/close`),
      item: () => talkItem(talk, THEN, false),
    }
  },
  add_message: firstMessage(({ line }, talk, { sender, message }) => ({
    id: message,
    chat_id: talk.chat,
    talk_id: talk.id,
    contact_id: talk.contact,
    text: 'Is it there?',
    created_at: NOW,
    message_type: 'text',
    element_type: '2',
    entity_type: 'lead',
    element_id: talk.entity,
    entity_id: talk.entity,
    type: 'incoming',
    author: { id: sender, type: 'external', name: 'sue', avatar_url: 'https://example.com/a.png' },
    origin: line.channel.id,
  })),
  add_outgoing_message: async (scene) => {
    const { chat, sender } = await write(scene, 'sue')
    const talk = await talkOf(scene, chat)
    let message = ''
    return {
      act: async () => {
        message = (await ask(scene, 'POST', `talks/${talk.id}/send_message`, { text: 'Yes' })).id
      },
      item: () => ({
        id: message,
        chat_id: talk.chat,
        talk_id: talk.id,
        contact_id: talk.contact,
        text: 'Yes',
        created_at: NOW,
        message_type: 'text',
        type: 'outgoing',
        origin: talk.origin,
        author: { id: scene.adaInChats, type: 'internal', user_id: scene.ada, name: 'Ada' },
        recipient: { id: sender, type: 'external', name: 'sue' },
      }),
    }
  },
  add_chat_template_review: async (scene) => {
    const draft = {
      name: 'Order',
      content: 'Hello',
      type: 'waba',
      waba_category: 'UTILITY',
      waba_language: 'en',
    }
    const { _embedded } = await ask(scene, 'POST', 'chats/templates', [draft])
    const [{ id }] = _embedded.chat_templates
    let review = 0
    return {
      act: async () => {
        review = (await ask(scene, 'POST', `chats/templates/${id}/review`, {}))._embedded.reviews[0].id
      },
      item: () => ({
        id: String(id),
        type: 'waba',
        account_id: '1',
        name: 'Order',
        content: 'Hello',
        created_at: THEN,
        updated_at: THEN,
        is_editable: '0',
        reviews: [{ id: String(review), source_id: scene.source, status: 'review', reject_reason: '' }],
        is_on_review: '1',
        waba_footer: '',
        waba_category: 'UTILITY',
        waba_language: 'en',
      }),
    }
  },
} satisfies Record<string, Case>
