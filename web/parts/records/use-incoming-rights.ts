import { useQuery } from '@tanstack/react-query'
import type { Acceptance, IncomingLead } from '../../data/incoming-leads.ts'
import { briefOptions } from '../../data/record-briefs.ts'
import type { AnyRecord } from '../../data/records.ts'

/** Whether the person can do something with a record that belongs to an incoming lead. */
export type IsIncomingAllowed = (
  collection: 'leads' | 'contacts',
  right: 'edit' | 'delete',
  record: AnyRecord,
) => boolean

/** The part of the page, which knows the rights and the fields of leads. */
export interface IncomingActions {
  isAllowed: IsIncomingAllowed
  accept: (acceptance: Acceptance) => void
  isAccepting: boolean
}

/**
 * The actions on an incoming lead that the person has the rights for. Declining deletes the lead. Linking merges it, and
 * its contact too if the contact is new, which deletes both of them (I5, I7).
 */
export function useIncomingRights(
  { _embedded: { leads, contacts } }: IncomingLead,
  isAllowed: IsIncomingAllowed,
) {
  const [lead_id, contact_id] = [leads[0]?.id ?? 0, contacts[0]?.id ?? 0]
  const { data: lead } = useQuery({ ...briefOptions('leads', lead_id), enabled: lead_id !== 0 })
  const { data: contact } = useQuery({ ...briefOptions('contacts', contact_id), enabled: contact_id !== 0 })
  const accept = lead ? isAllowed('leads', 'edit', lead) : false
  const decline = lead ? isAllowed('leads', 'delete', lead) : false
  const merge =
    contact && contact.is_unsorted === true
      ? isAllowed('contacts', 'edit', contact) && isAllowed('contacts', 'delete', contact)
      : false
  const isContactKept = contact?.is_unsorted !== true
  return { accept, decline, link: accept && decline && (isContactKept || merge), useContact: accept && merge }
}
