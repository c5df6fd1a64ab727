import type { Declarations, IdPlace, Right, Template } from './declaration.ts'
import { inPath } from './places.ts'

/** A message is looked for below its chat, and below one of the caller's own, where it is not. */
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
    at: 'path below his own chat',
    of: 'messages',
    right,
    within: 'own record',
    beside: [['chats', right]],
    request: { ...request, params: { id: '{own chats}', message_id: '{id}' } },
  },
]

/** A chat is its lead's, or its contact's: whoever sees that sees the chat, and whoever changes it writes there. */
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
  'GET /chats/:id/messages/:message_id/attempts': { paid: true, answers: 200, ids: inChat('view') },
}

const talks: Declarations = {
  'GET /talks/:id': { paid: true, answers: 200, shows: 'ends of chats', ids: [inPath('talks', 'view')] },
  'POST /talks/:id/close': { answers: 202, ids: [inPath('talks', 'edit', { body: {} })] },
}

/** Which contact a chat belongs to is a matter of administrators; only they are told of ids that are none. */
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
        // The chat changes its contact, so each request has a chat of its own.
        right: 'edit',
        request: { body: [{ contact_id: '{own contacts}', chat_id: '{id}' }] },
      },
    ],
  },
}

const intent = { name: 'Named {n}', phrases: ['price {n}'], answer: 'A hundred.' }

/** The bot is a matter of administrators. */
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

export const declaredChats: Declarations = { ...chats, ...contactChats, ...talks, ...intents }
