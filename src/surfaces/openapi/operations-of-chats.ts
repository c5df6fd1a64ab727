import type { OperationsMetadata } from './metadata.ts'
import { ids, one, type QueryParameter } from './query-parameters.ts'

const channels: QueryParameter = {
  name: 'filter[channel_id]',
  in: 'query',
  description: 'Ids of channels, ten at most.',
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type: 'string' } },
}

const contactChats: QueryParameter[] = (
  [
    ['contact_id', 'integer'],
    ['chat_id', 'string'],
  ] as const
).map(([name, type]) => ({
  name,
  in: 'query',
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type } },
}))

/** Chats, talks, and the reply bot. */
export const toldOfChats: OperationsMetadata = {
  'GET /chats': {
    summary: 'Lists chats, the latest activity first, a page at a time; or tells which of them change.',
    description:
      'With `Accept: text/event-stream` it is a stream of changes: `event: chat`, with the id of the chat and its version. ' +
      'It goes on after `Last-Event-ID`, and may tell a change twice.',
    query: [
      channels,
      ...ids('contact_id', 'lead_id'),
      ...one('filter[state]', { type: 'string', enum: ['unread', 'open', 'closed'] }),
      ...one(
        'query',
        { type: 'string' },
        'Beginnings of words of the name, telephone or e-mail of the contact.',
      ),
    ],
    headers: { 'Last-Event-ID': { description: 'The event after which a stream goes on.' } },
    answers: { 200: { exports: { 'text/event-stream': 'Chats as they change, an event each.' } } },
  },
  'GET /chats/{id}': 'Shows one chat.',
  'POST /chats/{id}/read': 'Marks everything in one chat as read.',
  'GET /chats/{id}/messages': 'Lists the messages of one chat, the latest first, a page at a time.',
  'POST /chats/{id}/messages': 'Writes a text, a picture or a file to the other side of one chat.',
  'POST /chats/{id}/messages/{message_id}/send_again': 'Sends one message again whose delivery has failed.',
  'GET /chats/{id}/messages/{message_id}/attempts': 'Lists the tries to deliver one message.',
  'GET /contacts/chats': {
    summary: 'Lists the chats of some contacts, or some chats by their ids, each with its contact.',
    description:
      'For administrators. Exactly one of `contact_id` and `chat_id` is asked for, 250 values at most.',
    query: contactChats,
  },
  'POST /contacts/chats': {
    summary: 'Moves each chat to a contact, all of them or none.',
    description:
      'For administrators. The open lead of the chat is linked to the contact; a new talk begins, whose id is the id of the link.',
  },
  'GET /talks/{id}': 'Shows one talk: a piece of a chat, from the first message to its closing.',
  'POST /talks/{id}/close': {
    summary: 'Closes one talk; the next message opens another one.',
    description:
      'One that is closed stays so. `force_close` changes nothing: nobody is asked for a rate first.',
  },
  'GET /chats/intents': 'Lists what the reply bot listens for.',
  'POST /chats/intents': {
    summary: 'Adds an intent; with the first one the bot begins to answer.',
    description:
      'A phrase is heard where its words stand in a text one after the other, whatever their case and accents. ' +
      'The longest phrase decides, and of two as long the older intent.',
  },
  'GET /chats/intents/{id}': 'Shows one intent.',
  'PATCH /chats/intents/{id}': 'Changes one intent.',
  'DELETE /chats/intents/{id}': 'Deletes one intent.',
}
