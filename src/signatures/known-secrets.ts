import { type ChannelSecrets, channelSecrets } from '../chats/chats.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { integrationSecrets } from '../integrations/integrations.ts'
import { webhookSecrets } from '../webhooks/webhooks.ts'
import type { Subject } from './explain.ts'
import type { KnownSecret } from './key-mistakes.ts'
import type { Mistake } from './mistake-types.ts'

/** Everything that an account could sign with. */
interface AccountSecrets {
  channels: ChannelSecrets[]
  webhooks: Awaited<ReturnType<typeof webhookSecrets>>
  integrations: Awaited<ReturnType<typeof integrationSecrets>>
}

type Owner = KnownSecret['owner']

const other = (owner: Owner): Mistake => ({
  id: 'other_secret',
  detail: `the ${owner.kind} ${owner.name || owner.id}`,
})

const ownerOf = (kind: Owner['kind'], { id, name }: { id: string | number; name: string }): Owner => ({
  kind,
  id: String(id),
  name,
})

/**
 * The secrets with which the signature of an account's request is compared: those that are right, and those that are
 * mistaken for them. `chosen` is the id of the channel, webhook or integration; null: all of the account are right. Throws
 * Refusal('not_found').
 */
export async function knownSecrets(
  ctx: Context,
  account_id: number,
  subject: Subject,
  chosen: string | null,
): Promise<KnownSecret[]> {
  const all: AccountSecrets = {
    channels: await channelSecrets(ctx, account_id),
    webhooks: await webhookSecrets(ctx, account_id),
    integrations: await integrationSecrets(ctx, account_id),
  }
  const kind = kinds[subject]
  const known = secretsOf(all)
  const isRight = ({ owner }: KnownSecret) => owner.kind === kind && (chosen ?? owner.id) === owner.id
  if (chosen !== null && !known.some(isRight)) throw new Refusal('not_found', notFound[kind])
  const judged = known.map((one) =>
    isRight(one) ? one : { ...one, mistake: one.mistake ?? mistakeOf(one.owner, kind) },
  )
  const [right] = judged.filter(isRight)
  return [...judged, ...(right && chosen !== null ? substitutes(right.owner) : [])]
}

const kinds: Record<Subject, Owner['kind']> = {
  chat: 'channel',
  callback: 'channel',
  webhook: 'webhook',
  disable_hook: 'integration',
}

const notFound: Record<Owner['kind'], string> = {
  channel: 'There is no such channel in this account.',
  webhook: 'There is no such webhook in this account, or its requests are not signed.',
  integration: 'There is no such integration in this account.',
}

const mistakeOf = (owner: Owner, right: Owner['kind']): Mistake =>
  owner.kind === 'integration' && right === 'channel'
    ? { id: 'integration_secret', detail: null }
    : other(owner)

/** All secrets. A previous one that has expired is a mistake wherever it is used. */
function secretsOf({ channels, webhooks, integrations }: AccountSecrets): KnownSecret[] {
  return [
    ...channels.flatMap(({ present, previous, is_previous_valid, ...channel }): KnownSecret[] => {
      const owner = ownerOf('channel', channel)
      const rotated: Mistake | null = is_previous_valid ? null : { id: 'rotated_secret', detail: null }
      return [
        { secret: present, owner, mistake: null },
        ...(previous === null ? [] : [{ secret: previous, owner, mistake: rotated }]),
      ]
    }),
    ...webhooks.map(
      (one): KnownSecret => ({
        secret: one.secret,
        owner: ownerOf('webhook', one),
        mistake: null,
      }),
    ),
    ...integrations.map(
      (one): KnownSecret => ({
        secret: one.secret,
        owner: ownerOf('integration', one),
        mistake: null,
      }),
    ),
  ]
}

/** The values that clients take for the secret by mistake. */
const substitutes = (owner: Owner): KnownSecret[] => [
  { secret: owner.id, owner, mistake: { id: 'id_as_secret', detail: null } },
  { secret: '', owner, mistake: { id: 'empty_secret', detail: null } },
]
