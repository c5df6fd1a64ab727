import type { GroupRow, RoleRow, TaskTypeRow } from '../../db/tables.ts'
import { completeRights } from './rights.ts'

/** Names of the default group, role and task types, by account language. */
const words: Record<string, { group: string; role: string; follow_up: string; meeting: string }> = {
  en: { group: 'Sales', role: 'Sales', follow_up: 'Follow-up', meeting: 'Meeting' },
  es: { group: 'Ventas', role: 'Ventas', follow_up: 'Seguimiento', meeting: 'Reunión' },
  ru: { group: 'Отдел продаж', role: 'Продажи', follow_up: 'Связаться', meeting: 'Встреча' },
  pt: { group: 'Vendas', role: 'Vendas', follow_up: 'Acompanhamento', meeting: 'Reunião' },
}

const inLanguage = (language: string) => words[language] ?? (words.en as (typeof words)[string])

/** The group of members who have no other. It cannot be deleted and has no uuid on the wire. */
export const DEFAULT_GROUP = 0

export function defaultGroup(account_id: number, language: string): GroupRow {
  return { account_id, id: DEFAULT_GROUP, name: inLanguage(language).group, uuid: null }
}

const salesperson = { view: 'A', edit: 'A', add: 'A', delete: 'M', export: 'D' } as const

/** The default role: members see and edit everything, and delete only their own records. */
export function defaultRole(account_id: number, id: number, language: string): RoleRow {
  const rights = completeRights({
    leads: salesperson,
    contacts: salesperson,
    companies: salesperson,
    tasks: { edit: 'A', delete: 'M' },
    mail_access: true,
    catalog_access: true,
  })
  return { account_id, id, name: inLanguage(language).role, rights: JSON.stringify(rights) }
}

export function defaultTaskTypes(account_id: number, language: string): TaskTypeRow[] {
  const { follow_up, meeting } = inLanguage(language)
  const plain = { account_id, color: null, icon_id: null }
  return [
    { ...plain, id: 1, name: follow_up, code: 'FOLLOW_UP' },
    { ...plain, id: 2, name: meeting, code: 'MEETING' },
  ]
}
