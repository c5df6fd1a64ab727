import type { IsIncomingAllowed } from '../parts/records/use-incoming-rights.ts'
import { useRecordPermission } from './use-record-permission.ts'

/** Returns whether the person can edit or delete the lead or the contact of an incoming lead. */
export function useIncomingPermission(): IsIncomingAllowed {
  const of = { leads: useRecordPermission('leads'), contacts: useRecordPermission('contacts') }
  return (collection, right, record) => of[collection](right, record)
}
