import { sha256 } from '../../secrets.ts'

/**
 * The id of a channel's bot: a UUID derived from the channel's id, so that it never changes and needs no column.
 * The provider names the bot with it as the sender of an automated message (`sender.ref_id`).
 */
export function botIdOf(channel_id: string): string {
  const hex = sha256(`bot of channel ${channel_id}`).toString('hex')
  // RFC 9562, 5.8: version 8 leaves the bits to the implementation.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
