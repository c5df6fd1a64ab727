import type { Actor } from '../accounts/accounts.ts'
import type { AutomationRunRow } from '../db/tables.ts'

/** The name of a run, in the place of the id of a request. */
export const nameOfRun = (id: number): string => `automation ${id}`

/** The id in the name of a run; null if it is another name. */
export const runNamed = (name: string): number | null => {
  const [, id] = /^automation (\d{1,15})$/.exec(name) ?? []
  return id === undefined ? null : Number(id)
}

/** The actor of a run: user 0, as the platform names its robot, with the rights of an administrator (Y2). */
export const robotOf = (
  { account_id, id, rule_id, chain }: AutomationRunRow,
  account: { subdomain: string },
): Actor => ({
  account_id,
  subdomain: account.subdomain,
  user_id: 0,
  member_epoch: 0,
  lang: 'en',
  is_admin: true,
  is_free: false,
  group_id: 0,
  rights: {} as Actor['rights'],
  paid_until: null,
  // Not a person: the fields that a stage requires are required of people only (R12).
  integration: { id: 'automation', number: null, grant_id: '', scopes: [] },
  request_id: nameOfRun(id),
  address: '',
  chain: [...(JSON.parse(chain) as number[]), rule_id],
})
