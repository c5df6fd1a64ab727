import { sha256 } from '../../secrets.ts'

/**
 * The id of a channel's bot: a UUID made of the channel's id, so that it is the same for ever and needs no column. A
 * provider names the bot by it as the sender of what a machine wrote for the account (`sender.ref_id`).
 */
export function botIdOf(channel_id: string): string {
  const hex = sha256(`bot of channel ${channel_id}`).toString('hex')
  // RFC 9562, 5.8: version 8, whose bits are the maker's own.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
