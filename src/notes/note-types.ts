/** Notes that the server writes itself, by what they tell; their params as they are read. */
export interface SystemNotes {
  lead_created: { text: string }
  contact_created: { text: string }
  company_created: { text: string }
  customer_created: { text: string }
  task_result: { text: string; task_id: number }
  site_visit: { url: string }
  link_followed: { url: string }
  targeting_in: { contacts: number[]; campaign: string; service: string }
  targeting_out: { contacts: number[]; campaign: string; service: string }
}

export type SystemNoteDraft = {
  [T in keyof SystemNotes]: {
    note_type: T
    params: SystemNotes[T]
    /** `leads`, `contacts`, `companies` or `customers`. */
    entity_type: string
    entity_id: number
    responsible_user_id: number
  }
}[keyof SystemNotes]
