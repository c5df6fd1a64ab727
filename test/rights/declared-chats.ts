import type { Declarations, IdPlace, Right, Template } from './declaration.ts'
import { inPath } from './places.ts'

/** A message is searched in its own chat and in one of the caller's, where it is not. */
const inChat = (right: Right, request: Template = {}): IdPlace[] => [
  {
    at: 'path',
    of: 'messages',
    right,
    within: 'its record',
    beside: [['chats', right]],
    request: { ...request, params: { id: '{its parent}', message_id: '{id}' } },
  },
  {
    at: 'path below their own chat',
    of: 'messages',
    right,
    within: 'own record',
    beside: [['chats', right]],
    request: { ...request, params: { id: '{own chats}', message_id: '{id}' } },
  },
]

/** A chat has the rights of its lead or, without one, its contact: view rights to read it, edit rights to write. */
const chats: Declarations = {
  'GET /chats': {
    paid: true,
    answers: 200,
    asks: {},
    shows: 'ends of chats',
    ids: [
      { at: 'filter by contact', of: 'contacts', request: { query: 'filter[contact_id]={id}' } },
      { at: 'filter by lead', of: 'leads', request: { query: 'filter[lead_id]={id}' } },
    ],
  },
  'GET /chats/:id': { paid: true, answers: 200, shows: 'ends of chats', ids: [inPath('chats', 'view')] },
  'POST /chats/:id/read': { answers: 200, shows: 'ends of chats', ids: [inPath('chats', 'edit')] },
  'GET /chats/:id/messages': { paid: true, answers: 200, ids: [inPath('chats', 'view')] },
  'POST /chats/:id/messages': {
    answers: 200,
    ids: [
      inPath('chats', 'edit', { body: { text: 'Written {n}' } }),
      {
        at: 'file_uuid',
        of: 'files',
        beside: [['chats', 'edit']],
        request: { params: { id: '{own chats}' }, body: { file_uuid: '{id}' } },
      },
    ],
  },
  'POST /chats/:id/messages/:message_id/send_again': { answers: 200, ids: inChat('edit') },
  'PUT /chats/:id/messages/:message_id/reaction': {
    answers: 200,
    ids: inChat('edit', { body: { emoji: '👍' } }),
  },
  'DELETE /chats/:id/messages/:message_id/reaction': { answers: 200, ids: inChat('edit') },
  'POST /chats/:id/typing': { answers: 204, ids: [inPath('chats', 'edit')] },
  'GET /chats/:id/messages/:message_id/attempts': { paid: true, answers: 200, ids: inChat('view') },
}

const talks: Declarations = {
  'GET /talks/:id': { paid: true, answers: 200, shows: 'ends of chats', ids: [inPath('talks', 'view')] },
  'GET /talks': {
    paid: true,
    answers: 200,
    asks: {},
    shows: 'ends of chats',
    ids: [
      { at: 'filter', of: 'talks', request: { query: 'filter[talk_id]={id}' } },
      { at: 'filter by contact', of: 'contacts', request: { query: 'filter[contact_id]={id}' } },
      { at: 'filter by lead', of: 'leads', request: { query: 'filter[entity_id]={id}' } },
    ],
  },
  'GET /talks/:id/messages': { paid: true, answers: 200, ids: [inPath('talks', 'view')] },
  'POST /talks/:id/send_message': {
    answers: 202,
    ids: [inPath('talks', 'edit', { body: { text: 'Written {n}' } })],
  },
  'POST /talks/:id/close': { answers: 202, ids: [inPath('talks', 'edit', { body: {} })] },
}

/** Only administrators can link chats and contacts, so missing ids are not secret. */
const contactChats: Declarations = {
  'GET /contacts/chats': {
    needs: 'admin',
    paid: true,
    answers: 200,
    ids: [
      { at: 'query', of: 'contacts', missing: 200, request: { query: 'contact_id={id}' } },
      { at: 'query by chat', of: 'chats', missing: 200, request: { query: 'chat_id={id}' } },
    ],
  },
  'POST /contacts/chats': {
    needs: 'admin',
    answers: 200,
    ids: [
      {
        at: 'contact_id',
        of: 'contacts',
        request: { body: [{ contact_id: '{id}', chat_id: '{own chats}' }] },
      },
      {
        at: 'chat_id',
        of: 'chats',
        // Linking changes a chat, so each request has its own chat. The contact has no lead that others see, with which the
        // chat would become visible to them.
        right: 'edit',
        request: { body: [{ contact_id: '{new contacts}', chat_id: '{id}' }] },
      },
    ],
  },
}

const intent = { name: 'Named {n}', phrases: ['price {n}'], answer: 'A hundred.' }

/** Only administrators can change the bot. */
const intents: Declarations = {
  'GET /chats/intents': { needs: 'admin', answers: 200, asks: {} },
  'POST /chats/intents': { needs: 'admin', answers: 200, asks: { body: intent } },
  'GET /chats/intents/:id': {
    needs: 'admin',
    answers: 200,
    ids: [{ at: 'path', of: 'intents', request: {} }],
  },
  'PATCH /chats/intents/:id': {
    needs: 'admin',
    answers: 200,
    ids: [{ at: 'path', of: 'intents', request: { body: { answer: 'Two hundred, {n}.' } } }],
  },
  'DELETE /chats/intents/:id': {
    needs: 'admin',
    answers: 204,
    ids: [{ at: 'path', of: 'intents', request: {} }],
  },
}

const template = { name: 'Named {n}', content: 'Hello' }
const attached = { content: 'Hello', attachment: { id: '{id}' } }

/** Everybody can read templates, and only administrators can change them (C16). */
const templates: Declarations = {
  'GET /chats/templates': { answers: 200, asks: {} },
  'GET /chats/templates/:id': { answers: 200, ids: [{ at: 'path', of: 'templates', request: {} }] },
  'POST /chats/templates': {
    needs: 'admin',
    answers: 200,
    asks: { body: [template] },
    ids: [{ at: 'attachment', of: 'files', request: { body: [{ ...template, ...attached }] } }],
  },
  'PATCH /chats/templates': {
    needs: 'admin',
    answers: 200,
    ids: [
      { at: 'item', of: 'templates', request: { body: [{ id: '{id}', ...template }] } },
      {
        at: 'attachment',
        of: 'files',
        request: { body: [{ id: '{new templates}', ...attached }] },
      },
    ],
  },
  'PATCH /chats/templates/:id': {
    needs: 'admin',
    answers: 200,
    ids: [
      { at: 'path', of: 'templates', request: { body: template } },
      { at: 'attachment', of: 'files', request: { params: { id: '{new templates}' }, body: attached } },
    ],
  },
  'DELETE /chats/templates': {
    needs: 'admin',
    answers: 204,
    ids: [{ at: 'item', of: 'templates', request: { body: [{ id: '{id}' }] } }],
  },
  'DELETE /chats/templates/:id': {
    needs: 'admin',
    answers: 204,
    ids: [{ at: 'path', of: 'templates', request: {} }],
  },
  'POST /chats/templates/:id/review': {
    needs: 'admin',
    answers: 200,
    ids: [{ at: 'path', of: 'templates', request: { body: {} } }],
  },
  'POST /chats/templates/:id/review/:review_id': {
    needs: 'admin',
    answers: 200,
    ids: [
      {
        at: 'path',
        of: 'templates',
        request: { params: { id: '{id}', review_id: '{its review}' }, body: { status: 'approved' } },
      },
    ],
  },
}

const ofLead = { entity_id: '{id}', entity_type: 'leads' }
const ofOwnLead = { entity_id: '{own leads}', entity_type: 'leads' }
const ofBot = (at: string, request: Template): IdPlace => ({
  at,
  of: 'bots',
  missing: 400,
  beside: [['leads', 'edit']],
  request,
})
const ofRecord = (request: Template): IdPlace => ({ at: 'entity_id', of: 'leads', right: 'edit', request })
/** The last message of a chat of the scene is never a customer's that waits, so nothing waits. */
const resume: Declarations[string] = {
  needs: 'admin',
  answers: 404,
  asks: { params: { bot_id: '{own bots}', continue_id: 'nothing' }, body: {} },
}

/** Everybody knows the bot, and runs it for the records that they can edit (C18). */
const bots: Declarations = {
  'GET /bots': { answers: 200, asks: {} },
  'GET /bots/:id': { answers: 200, ids: [{ at: 'path', of: 'bots', missing: 204, request: {} }] },
  'PATCH /bots/:id': {
    needs: 'admin',
    answers: 200,
    ids: [{ at: 'path', of: 'bots', request: { body: { greeting: 'Hello {n}' } } }],
  },
  'POST /bots/:id/run': {
    hides: true,
    answers: 202,
    ids: [ofBot('bot', { body: ofOwnLead }), ofRecord({ params: { id: '{own bots}' }, body: ofLead })],
  },
  'POST /bots/:id/stop': {
    hides: true,
    answers: 202,
    ids: [ofBot('bot', { body: ofOwnLead }), ofRecord({ params: { id: '{own bots}' }, body: ofLead })],
  },
  'POST /salesbot/:bot_id/continue/:continue_id': resume,
  'POST /marketingbot/:bot_id/continue/:continue_id': resume,
  'POST /bots/run': {
    hides: true,
    answers: 202,
    ids: [
      ofBot('bot_id', { body: [{ bot_id: '{id}', ...ofOwnLead }] }),
      ofRecord({ body: [{ bot_id: '{own bots}', ...ofLead }] }),
    ],
  },
}

export const declaredChats: Declarations = {
  ...bots,
  ...templates,
  ...chats,
  ...contactChats,
  ...talks,
  ...intents,
}
