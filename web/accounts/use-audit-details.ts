import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '../data/audit.ts'
import { useFormat } from '../parts/texts/format.ts'

/** Properties that the subject already shows or that do not matter to readers. */
const unsaid = new Set(['id', 'name', 'pipeline_id', 'entity_type', 'accounts'])

/** Returns the details of an entry in words, such as the changed properties. */
export function useAuditDetails(): (entry: AuditEntry) => string {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const named = (group: 'member' | 'detail' | 'reason', name: string) => {
    const key = `audit.${group}.${name}`
    return i18n.exists(key) ? t(key as 'audit.detail.days') : name
  }
  const value = (member: string, value: unknown): string => {
    if (member === 'changed') return format.list((value as string[]).map((name) => named('member', name)))
    if (member === 'reason') return named('reason', String(value))
    if (typeof value === 'number')
      return member.endsWith('_until') ? format.dateTime(value) : format.number(value)
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
  return ({ details }) =>
    Object.entries(details)
      .filter(([member, value]) => !unsaid.has(member) && value !== null && value !== false)
      .map(([member, is]) =>
        is === true ? named('detail', member) : `${named('detail', member)}: ${value(member, is)}`,
      )
      .join(' · ')
}
