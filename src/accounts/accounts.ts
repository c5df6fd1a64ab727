/** The public API of the slice: accounts, people, rights and sessions. */

export {
  type AuditDraft,
  auditAs,
  auditCausedIn,
  findAuditCause,
  listAudit,
  type NamesOfIntegrations,
  recordAudit,
} from './audit/audit.ts'
export { findLastAudit } from './audit/audit-queries.ts'
export { oldAudit } from './audit/old-audit.ts'
export {
  actingOf,
  asksForIntegration,
  type FindActing,
  integrationsIn,
  type OfIntegrations,
  type ShowActing,
  withActing,
  withoutActing,
} from './members/acting.ts'
export {
  type Actor,
  type ActorRow,
  actingIntegration,
  actorOf,
  findActor,
  insufficientScope,
  requireAdmin,
  requirePaid,
} from './members/actor.ts'
export {
  countOwnPeople,
  deleteAccountRow,
  deletePeopleWithoutAccount,
  endMemberships,
  lockForDeletion,
} from './members/deletion-queries.ts'
export {
  accountTimezone,
  findNamedMembers,
  type ListedAccount,
  listAccounts,
  type NamedMember,
} from './members/member-queries.ts'
export { findUserByEmail, listPersonRows, lockAccount, type PersonRow } from './members/people-queries.ts'
export {
  accountNames,
  accountNaming,
  accountOfAmojoId,
  accountSubdomain,
  activeIds,
  activeMembers,
  chatNames,
  findAccountBySubdomain,
  findColleagues,
  findMemberByAmojoId,
  findMembers,
  listRequestLogSettings,
  listTaskTypes,
  type MemberOfAccount,
  memberEndings,
  membershipsOf,
  onlyAccountId,
  requestLogSetting,
  selectAccount,
  userNames,
} from './members/queries.ts'
export { listGroupRows, listRoleRows } from './members/role-queries.ts'
export { cachedBriefly } from './members/short-cache.ts'
export { setPassword, sweepPasswordLinks } from './passwords/new-passwords.ts'
export { divideHashing } from './passwords/passwords.ts'
export { emailOf } from './people/new-members.ts'
export { addMember, listPeople, type MemberDraft } from './people/people.ts'
export { effectiveRights } from './people/person-view.ts'
export { addRoles } from './people/roles.ts'
export { readCookie, setCookie } from './sessions/cookies.ts'
export {
  crossOrigin,
  isOfOtherPage,
  isWrite,
  requireCsrfToken,
  requirePageOwner,
  requireSameOrigin,
  requireSameOwner,
} from './sessions/csrf.ts'
export {
  type BrowserSession,
  confirmedUntil,
  findSession,
  requireConfirmed,
  requireSession,
  startSession,
  sweepSessions,
} from './sessions/sessions.ts'
export {
  areChatsUnsorted,
  changeChatsUnsorted,
  changeCustomersMode,
  changePaidUntil,
  changeWebhookPlan,
  setHelpbotEnabled,
  webhookPlan,
} from './settings/account-settings.ts'
export { accountLanguage, offsetOf } from './settings/account-view.ts'
export { type AccountDraft, createAccount } from './settings/new-account.ts'
export { changeRequestLog, type RequestLogSetting } from './settings/request-log-setting.ts'
export { createSetupToken, isEmpty } from './sign-in/setup.ts'
