/** The public API of the slice: accounts, people, rights and sessions. */
export {
  areChatsUnsorted,
  changeChatsUnsorted,
  changeCustomersMode,
  changePaidUntil,
  changeWebhookPlan,
  setHelpbotEnabled,
  webhookPlan,
} from './account-settings.ts'
export { accountLanguage, offsetOf } from './account-view.ts'
export {
  actingOf,
  asksForIntegration,
  type FindActing,
  integrationsIn,
  type OfIntegrations,
  type ShowActing,
  withActing,
  withoutActing,
} from './acting.ts'
export {
  type Actor,
  type ActorRow,
  actingIntegration,
  actorOf,
  findActor,
  insufficientScope,
  requireAdmin,
  requirePaid,
} from './actor.ts'
export {
  type AuditDraft,
  auditAs,
  auditCausedIn,
  findAuditCause,
  listAudit,
  type NamesOfIntegrations,
  recordAudit,
} from './audit.ts'
export { findLastAudit } from './audit-queries.ts'
export { requireCsrfToken, requireSameOrigin } from './csrf.ts'
export {
  accountTimezone,
  findNamedMembers,
  type ListedAccount,
  listAccounts,
  type NamedMember,
} from './member-queries.ts'
export { type AccountDraft, createAccount } from './new-account.ts'
export { emailOf } from './new-members.ts'
export { setPassword, sweepPasswordLinks } from './new-passwords.ts'
export { oldAudit } from './old-audit.ts'
export { divideHashing } from './passwords.ts'
export { addMember, listPeople, type MemberDraft } from './people.ts'
export { findUserByEmail, listPersonRows, lockAccount, type PersonRow } from './people-queries.ts'
export { effectiveRights } from './person-view.ts'
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
} from './queries.ts'
export { changeRequestLog, type RequestLogSetting } from './request-log-setting.ts'
export { listGroupRows, listRoleRows } from './role-queries.ts'
export { addRoles } from './roles.ts'
export {
  type BrowserSession,
  confirmedUntil,
  findSession,
  requireConfirmed,
  requireSession,
  startSession,
  sweepSessions,
} from './sessions.ts'
export { createSetupToken, isEmpty } from './setup.ts'
export { cachedBriefly } from './short-cache.ts'
