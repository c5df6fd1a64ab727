import { useQuery } from '@tanstack/react-query'
import { colleaguesOptions } from '../data/colleagues.ts'
import { isAt } from '../data/pipelines.ts'
import type { AnyRecord, Collection } from '../data/records.ts'
import { useRights, useSignedIn, widthOf } from './use-session.ts'

/**
 * Returns whether the person can view, edit or delete a record, by their rights and the rights of its stage. It only decides
 * what pages offer: the server checks again.
 */
export function useRecordPermission(
  collection: Collection,
): (right: 'view' | 'edit' | 'delete', record: AnyRecord) => boolean {
  const { user, account } = useSignedIn()
  const rights = useRights()
  const widths = (['view', 'edit', 'delete'] as const).map((right) => widthOf(rights, collection, right))
  const { data: people = [] } = useQuery({ ...colleaguesOptions, enabled: widths.includes('G') })
  const groupOf = (id: number | undefined) => people.find((one) => one.id === id)?.group_id
  return (right, record) => {
    if (account?.is_admin) return true
    const { responsible_user_id } = record
    const stage = rights.status_rights?.find((one) => collection === 'leads' && isAt(record, one))
    const width = stage?.rights[right] ?? widthOf(rights, collection, right)
    if (width === 'M') return responsible_user_id === user.id
    if (width === 'G') return groupOf(responsible_user_id) === groupOf(user.id)
    return width !== 'D'
  }
}
