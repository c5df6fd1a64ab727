import { createHmac } from 'node:crypto'
import { type Actor, chatNames } from '../../accounts/accounts.ts'
import { authenticateScope, receivePush, reportDelivery } from '../../chats/chats.ts'
import type { Context } from '../../context.ts'
import { findFiles, lastingLinks } from '../../drive/drive.ts'
import { editEntities, listedIds, loadAccess } from '../../entities/entities.ts'
import { sourcesOfChats } from '../../integrations/integrations.ts'
import type { ShopFiles } from './demo-files.ts'
import { atTime, HOUR, MINUTE } from './demo-times.ts'

/** The channel through which customers write to the shop. */
export interface DemoChannel {
  id: string
  secret: string
  scope_id: string
}

export interface Writer {
  name: string
  phone: string
}

type Answerer = 'ada' | 'ben'

/** A message: its author, the minutes since the previous one, and its text. A picture refers to a shop file. */
type Line = [by: 'them' | Answerer, minutes: number, text: string, picture?: 'picture']

/**
 * Conversations with the hours since they began, and the names that their leads get. The last one waits for an
 * answer.
 */
export const conversations: { hours_ago: number; about?: { name: string; price: number }; lines: Line[] }[] =
  [
    {
      hours_ago: 190,
      about: { name: 'Faro Folding, black', price: 1010 },
      lines: [
        ['them', 0, 'Good morning! Do you still have the Faro Folding in black?'],
        ['ben', 14, 'Good morning! Two of them. Shall we keep one for you?'],
        ['them', 3, 'Yes please, I can come on Thursday after work.'],
        ['ben', 5, 'Done. We are open until seven.'],
      ],
    },
    {
      hours_ago: 122,
      about: { name: 'Aria City: brakes', price: 40 },
      lines: [
        ['them', 0, 'Hello, the brakes of my Aria squeak since the rain. Can I just come by?'],
        ['ada', 32, 'Of course. It takes half an hour, bring some time for a coffee.'],
        ['them', 8, 'Perfect, see you tomorrow at ten.'],
        ['ada', 1_500, 'It was good to see you. If they squeak again, it is on us.'],
      ],
    },
    {
      hours_ago: 74,
      about: { name: 'Bora Cargo, blue', price: 2450 },
      lines: [
        [
          'them',
          0,
          'How long is the waiting list for the Bora Cargo? We need it before the second child comes.',
        ],
        ['ben', 21, 'Three weeks at the moment. When is the big day?'],
        ['them', 40, 'In seven weeks! Then please put us down for a blue one.'],
        ['ben', 6, 'With pleasure. I will send you the papers today.'],
      ],
    },
    {
      hours_ago: 27,
      about: { name: 'Duna Gravel, blue', price: 1540 },
      lines: [
        ['them', 0, 'I saw this one in your window. Is it the large frame?'],
        ['them', 1, '', 'picture'],
        [
          'ada',
          17,
          'That is the Duna Gravel in 56. You can ride it on Saturday, shall I write you down for eleven?',
        ],
        ['them', 25, 'Eleven is fine. Thank you!'],
        ['ada', 4, 'See you on Saturday.'],
      ],
    },
    {
      hours_ago: 3,
      lines: [
        ['them', 0, 'Hi! I ordered the Gala Electric last week. Has it been sent?'],
        ['them', 2, 'The parcel number does not work on the courier’s page yet.'],
      ],
    },
  ]

/**
 * Sends the conversations like the provider of the channel, with signed messages. Answers are sent the same way:
 * answers sent from here would wait for a provider that is not running.
 */
export async function addConversations(
  ctx: Context,
  people: Record<Answerer, Actor>,
  channel: DemoChannel,
  writers: readonly Writer[],
  { picture }: ShopFiles,
): Promise<void> {
  const { account_id } = people.ada
  const now = ctx.now()
  const names = await chatNames(ctx.db, [people.ada.user_id, people.ben.user_id])
  const file = (await findFiles(ctx.db, account_id, [picture])).get(picture)
  if (!file) throw new Error('the picture is missing')
  const { media } = lastingLinks(ctx, account_id, file)
  const shown = { type: 'picture', media, file_name: file.name, file_size: file.size }
  const personOf = (by: Answerer) => {
    const person = names.get(people[by].user_id)
    return { id: by, name: person?.name, ref_id: person?.amojo_id }
  }
  for (const [n, { hours_ago, about, lines }] of conversations.entries()) {
    const { name, phone } = writers[n] as Writer
    const client = { id: `client-${n + 1}`, name, profile: { phone } }
    const begun_at = now - hours_ago * HOUR
    let at = begun_at
    for (const [i, [by, minutes, text, paper]] of lines.entries()) {
      at += minutes * MINUTE
      const payload = {
        timestamp: at,
        msgid: `demo-${n + 1}-${i + 1}`,
        conversation_id: `demo-${n + 1}`,
        ...(by === 'them' ? { sender: client } : { sender: personOf(by), receiver: client }),
        message: paper ? shown : { type: 'text', text },
      }
      await push(atTime(ctx, at), channel, payload, by !== 'them')
    }
    if (about) await nameLead(atTime(ctx, at), people.ada, begun_at, about)
  }
}

/** Names the lead that a conversation opened at this time. */
async function nameLead(
  ctx: Context,
  actor: Actor,
  opened_at: number,
  about: { name: string; price: number },
) {
  const query = { filter: { created_at: { from: String(opened_at), to: String(opened_at) } } }
  const reader = { db: ctx.db, access: await loadAccess(ctx.db, actor), type: 'leads' as const }
  const ids = await listedIds(reader, query, { most: 10 })
  const [id] = ids ?? []
  if (id !== undefined) await editEntities(ctx, actor, 'leads', [{ id, ...about }], 'item')
}

async function push(ctx: Context, { secret, scope_id }: DemoChannel, payload: object, isRead: boolean) {
  const body = { event_type: 'new_message', payload }
  const bytes = Buffer.from(JSON.stringify(body))
  const signed = await authenticateScope(ctx, scope_id, {
    request_id: 'demo',
    address: '127.0.0.1',
    method: 'POST',
    path: `/v2/origin/custom/${scope_id}`,
    headers: { 'x-signature': createHmac('sha1', secret).update(bytes).digest('hex') },
    body: bytes,
  })
  // The documented format has no outgoing messages; that of the live service does.
  const caller = { ...signed, channel: { ...signed.channel, protocol: 'live' } }
  const { new_message } = await receivePush(ctx, sourcesOfChats, caller, body)
  if (isRead) await reportDelivery(ctx, caller, new_message.msgid, { status_code: 2 })
}
