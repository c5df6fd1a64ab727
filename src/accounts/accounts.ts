/** The door of the slice: what the others may use of accounts, people, rights and sessions. */
export { changeCustomersMode, noteHelpbot } from './account-settings.ts'
export { offsetOf } from './account-view.ts'
export { type Actor, type ActorRow, actorOf, findActor, requireAdmin, requirePaid } from './actor.ts'
export { type AuditDraft, auditAs, listAudit, recordAudit } from './audit.ts'
export { requireCsrfToken, requireSameOrigin } from './csrf.ts'
export { accountTimezone, findNamedMembers, type NamedMember } from './member-queries.ts'
export { type AccountDraft, createAccount } from './new-account.ts'
export { addMember, type MemberDraft } from './people.ts'
export { findUserByEmail, lockAccount } from './people-queries.ts'
export { setPassword } from './profile.ts'
export {
  accountNames,
  accountSubdomain,
  activeMembers,
  chatNames,
  findAccountBySubdomain,
  findMembers,
  listTaskTypes,
  type MemberOfAccount,
  membershipsOf,
  selectAccount,
  userNames,
} from './queries.ts'
export { addRoles } from './roles.ts'
export {
  type BrowserSession,
  findSession,
  requireConfirmed,
  requireSession,
  startSession,
  sweepSessions,
} from './sessions.ts'
export { createSetupToken, isEmpty } from './setup.ts'
