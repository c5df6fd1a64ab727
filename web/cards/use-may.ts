import { useQuery } from '@tanstack/react-query'
import { colleaguesOptions } from '../api/colleagues.ts'
import type { AnyRecord, Collection } from '../api/records.ts'
import { useRights, useSignedIn, widthOf } from '../shell/use-session.ts'

/**
 * Whether the person may do this with a record: his rights, and those of the stage where it stands. What is linked to a
 * record that he sees, he sees; the server decides for itself.
 */
export function useMayDo(collection: Collection): (right: 'edit' | 'delete', record: AnyRecord) => boolean {
  const { user, account } = useSignedIn()
  const rights = useRights()
  const widths = [widthOf(rights, collection, 'edit'), widthOf(rights, collection, 'delete')]
  const { data: people = [] } = useQuery({ ...colleaguesOptions, enabled: widths.includes('G') })
  const groupOf = (id: number | undefined) => people.find((one) => one.id === id)?.group_id
  return (right, { pipeline_id, status_id, responsible_user_id }) => {
    if (account?.is_admin) return true
    const stage = rights.status_rights?.find(
      (one) => collection === 'leads' && one.pipeline_id === pipeline_id && one.status_id === status_id,
    )
    const width = stage?.rights[right] ?? widthOf(rights, collection, right)
    if (width === 'M') return responsible_user_id === user.id
    if (width === 'G') return groupOf(responsible_user_id) === groupOf(user.id)
    return width !== 'D'
  }
}
