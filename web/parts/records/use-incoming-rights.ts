import { useQuery } from '@tanstack/react-query'
import type { IncomingLead } from '../../data/incoming-leads.ts'
import { briefOptions } from '../../data/record-briefs.ts'
import { useRecordPermission } from '../../shell/use-record-permission.ts'

/**
 * What the person may do with an incoming lead. Declining deletes the lead. Linking merges it, and its contact too if the
 * contact is new, which deletes both of them (I5, I7).
 */
export function useIncomingRights({ _embedded: { leads, contacts } }: IncomingLead) {
  const [lead_id, contact_id] = [leads[0]?.id ?? 0, contacts[0]?.id ?? 0]
  const { data: lead } = useQuery({ ...briefOptions('leads', lead_id), enabled: lead_id !== 0 })
  const { data: contact } = useQuery({ ...briefOptions('contacts', contact_id), enabled: contact_id !== 0 })
  const isLeadAllowed = useRecordPermission('leads')
  const isContactAllowed = useRecordPermission('contacts')
  const accept = lead ? isLeadAllowed('edit', lead) : false
  const decline = lead ? isLeadAllowed('delete', lead) : false
  const merge = contact ? isContactAllowed('edit', contact) && isContactAllowed('delete', contact) : false
  const isContactKept = contact?.is_unsorted !== true
  return { accept, decline, link: accept && decline && (isContactKept || merge), useContact: accept && merge }
}
