import type { Client } from './client.ts'
import { surfaceOf } from './records.ts'

export const UNSORTED = '/web/v4/leads/unsorted'

/** The body of an incoming call, with a contact that the account does not know. */
export const call = {
  source_name: 'PBX One',
  source_uid: 'pbx-77',
  _embedded: { leads: [{ name: 'Call back', price: 900 }], contacts: [{ name: 'Jo Field' }] },
  metadata: { from: 'PBX One', phone: '441134960000', called_at: 1_700_000_000, duration: 54, uniq: 'c-1' },
}

/** The body of a form that was filled in. */
export const form = {
  source_name: 'Our site',
  source_uid: 'site',
  _embedded: {
    leads: [{ name: 'Ask us' }],
    contacts: [{ name: 'Ann Stone' }],
    companies: [{ name: 'Stone Ltd' }],
  },
  metadata: { form_id: 'f1', form_name: 'Ask us', form_page: 'https://shop.example', ip: '192.0.2.1' },
}

export interface Incoming {
  uid: string
  lead: number
  contact: number
  company: number
}

/** Adds one incoming lead and returns the ids of its records; 0 for a record that it does not have. */
export async function addIncoming(
  caller: Client,
  category: 'sip' | 'forms' = 'forms',
  draft: object = {},
): Promise<Incoming> {
  const item = { ...(category === 'sip' ? call : form), ...draft }
  const answer = await caller.post(`${surfaceOf(caller)}/leads/unsorted/${category}`, [item])
  if (answer.status !== 200) throw new Error(`not added: ${answer.text}`)
  const [{ uid, _embedded }] = answer.body._embedded.unsorted
  const idOf = (type: 'leads' | 'contacts' | 'companies'): number => _embedded[type][0]?.id ?? 0
  return { uid, lead: idOf('leads'), contact: idOf('contacts'), company: idOf('companies') }
}
