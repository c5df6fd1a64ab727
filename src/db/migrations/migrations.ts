import { initial } from './001-initial.ts'
import { records } from './002-records.ts'
import { eventIndexes } from './003-event-indexes.ts'
import { noteLists } from './004-note-lists.ts'
import { drive } from './005-drive.ts'
import { chats } from './006-chats.ts'
import { jobs } from './007-jobs.ts'
import { savedViews } from './008-saved-views.ts'
import { listOrders } from './009-list-orders.ts'
import { timeline } from './010-timeline.ts'
import { pinnedNotes } from './011-pinned-notes.ts'
import { passwordLinks } from './012-password-links.ts'
import { valueErasures } from './013-value-erasures.ts'
import { fileUses } from './014-file-uses.ts'
import { telephoneEndings } from './015-telephone-endings.ts'
import { minorUnits } from './016-minor-units.ts'
import { callIds } from './017-call-ids.ts'
import { rowWarnings } from './018-row-warnings.ts'
import { deliveryStates } from './019-delivery-states.ts'
import { channelProtocol } from './020-channel-protocol.ts'
import { viewPages } from './021-view-pages.ts'
import { webhooks } from './022-webhooks.ts'
import { incomingLeads } from './023-incoming-leads.ts'
import { automation } from './024-automation.ts'
import { chatFamilies } from './025-chat-families.ts'
import { followersAndSegments } from './026-followers-and-segments.ts'
import { callNoticesAndWidgets } from './027-call-notices-and-widgets.ts'
import { announcements } from './028-announcements.ts'
import { websiteButtons } from './029-website-buttons.ts'
import { leadSums } from './030-lead-sums.ts'
import { creatorIndex } from './031-creator-index.ts'
import { requestLog } from './032-request-log.ts'
import { actingIntegrations } from './033-acting-integrations.ts'
import { traces } from './034-traces.ts'
import { tokenHistories } from './035-token-histories.ts'
import { deliveryLists } from './036-delivery-lists.ts'
import { listeners } from './037-listeners.ts'
import { growthIndexes } from './040-growth-indexes.ts'
import { retention } from './041-retention.ts'
import { packedRequestLog } from './042-packed-request-log.ts'
import { integrationLists } from './043-integration-lists.ts'
import { tagErasures } from './044-tag-erasures.ts'
import { openTasks } from './045-open-tasks.ts'
import { changedTables } from './046-changed-tables.ts'
import { consentedPermissions } from './047-consented-permissions.ts'
import { deliveryTurns } from './048-delivery-turns.ts'
import { talkEvents } from './049-talk-events.ts'
import { sealedAnswers } from './050-sealed-answers.ts'
import { plannedNotes } from './051-planned-notes.ts'
import { sessionDevices } from './052-session-devices.ts'
import { customerMinorUnits } from './053-customer-minor-units.ts'
import type { Migration } from './migration.ts'

/** In the order of application. */
export const migrations: readonly Migration[] = [
  initial,
  records,
  eventIndexes,
  noteLists,
  drive,
  chats,
  jobs,
  savedViews,
  listOrders,
  timeline,
  pinnedNotes,
  passwordLinks,
  valueErasures,
  fileUses,
  telephoneEndings,
  minorUnits,
  callIds,
  rowWarnings,
  deliveryStates,
  channelProtocol,
  viewPages,
  webhooks,
  incomingLeads,
  automation,
  chatFamilies,
  followersAndSegments,
  callNoticesAndWidgets,
  announcements,
  websiteButtons,
  leadSums,
  creatorIndex,
  requestLog,
  actingIntegrations,
  traces,
  tokenHistories,
  deliveryLists,
  listeners,
  growthIndexes,
  retention,
  packedRequestLog,
  integrationLists,
  tagErasures,
  openTasks,
  changedTables,
  consentedPermissions,
  deliveryTurns,
  talkEvents,
  sealedAnswers,
  plannedNotes,
  sessionDevices,
  customerMinorUnits,
]
