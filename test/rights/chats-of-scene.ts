import { randomUUID } from 'node:crypto'
import type { Answer } from '../client.ts'
import { connected } from '../fixtures/chats.ts'
import type { World } from '../world.ts'
import type { Resource } from './expected.ts'
import { cardDraft, type Home, textOf } from './makers.ts'

/** The channel of an account's chats, with the protocol that supports silent messages, and callbacks that have reactions. */
const channelOf = (all: World, home: Home) => {
  home.chats ??= connected(all, { by: home.admin, protocol: 'live', hook_api_version: 'v2' })
  return home.chats
}

const done = (answer: Answer): Answer => {
  if (answer.status >= 300) throw new Error(`not done: ${answer.status} ${answer.text}`)
  return answer
}

/**
 * Creates a chat by a message, which adds a contact and, unless it is silent, a lead. They become the objects in
 * `ends`, each with its mark.
 */
export async function makeChat(
  all: World,
  home: Home,
  resource: Resource,
  mark: number,
  ends: [Resource, number][],
): Promise<void> {
  const channel = await channelOf(all, home)
  const { body } = done(
    await channel.push({
      timestamp: all.ctx.now(),
      msgid: randomUUID(),
      conversation_id: `c-${mark}`,
      silent: !ends.some(([{ kind }]) => kind === 'leads'),
      sender: {
        id: `s-${mark}`,
        // The contact's first name is in its notes, so it is not a secret of the chat.
        name: 'Visitor',
        avatar: 'https://example.com/a.png',
        profile_link: `https://example.com/${encodeURIComponent(textOf(mark))}`,
      },
      message: { type: 'text', text: textOf(mark) },
    }),
  )
  const id: string = body.new_message.conversation_id
  resource.id = id
  const chat = await all.ctx.db
    .selectFrom('conversations')
    .selectAll()
    .where('account_id', '=', resource.account_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  for (const [end, mark] of ends) {
    end.id = Number(end.kind === 'leads' ? chat.lead_id : chat.contact_id)
    const at = `/web/v4/${end.kind}/${end.id}`
    done(await home.admin.browser.patch(at, cardDraft(home, end, mark)))
    if (end.is_deleted) done(await home.admin.browser.delete(at))
  }
}

/** A failed message of an administrator, which can be sent again. */
export async function makeMessage(all: World, home: Home, resource: Resource, mark: number): Promise<void> {
  const { browser } = home.admin
  const at = `/web/v4/chats/${resource.parent?.id}/messages`
  resource.id = done(await browser.post(at, { text: textOf(mark) })).body.id
  const channel = await channelOf(all, home)
  const report = { delivery_status: -1, error_code: 905, error: 'Not there' }
  done(await channel.call('POST', `/${channel.scope_id}/${resource.id}/delivery_status`, report))
}

export async function findTalkOf({ ctx }: World, resource: Resource): Promise<void> {
  const { id } = await ctx.db
    .selectFrom('talks')
    .select('id')
    .where('account_id', '=', resource.account_id)
    .where('conversation_id', '=', String(resource.parent?.id))
    .executeTakeFirstOrThrow()
  resource.id = id
}
