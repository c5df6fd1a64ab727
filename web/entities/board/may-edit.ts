import { useQuery } from '@tanstack/react-query'
import { colleaguesOptions } from '../../api/colleagues.ts'
import type { AnyRecord } from '../../api/records.ts'
import { useRights, useSignedIn } from '../../shell/use-session.ts'

/** Whether the person may change a lead where it stands: his rights, and those of its stage where it has its own. */
export function useMayEdit(): (lead: AnyRecord) => boolean {
  const { user, account } = useSignedIn()
  const rights = useRights()
  const { data: colleagues = [] } = useQuery({
    ...colleaguesOptions,
    enabled: !account?.is_admin && rights.leads.edit === 'G',
  })
  const groupOf = (id: number | undefined) => colleagues.find((one) => one.id === id)?.group_id
  return ({ pipeline_id, status_id, responsible_user_id }) => {
    if (account?.is_admin) return true
    const stage = rights.status_rights?.find(
      (one) => one.pipeline_id === pipeline_id && one.status_id === status_id,
    )
    const width = stage?.rights.edit ?? rights.leads.edit
    if (width === 'G') return groupOf(responsible_user_id) === groupOf(user.id)
    return width === 'A' || (width === 'M' && responsible_user_id === user.id)
  }
}
