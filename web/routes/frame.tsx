import { CallNotices } from '../call-notices/call-notices.tsx'
import { Shell } from '../shell/shell.tsx'
import { FollowedNotices } from '../subscriptions/followed-notices.tsx'

/** The frame of all pages behind sign-in, and the notices that can appear on each of them. */
export function Frame() {
  return (
    <>
      <Shell />
      <FollowedNotices />
      <CallNotices />
    </>
  )
}
