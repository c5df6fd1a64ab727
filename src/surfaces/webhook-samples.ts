import { sampleMessage, sampleTalk, sampleTemplate } from '../chats/chats.ts'
import { sampleRecord } from '../entities/entities.ts'
import { sampleIncomingLead } from '../incoming-leads/incoming-leads.ts'
import { sampleNote } from '../notes/notes.ts'
import { sampleTask } from '../tasks/tasks.ts'
import type { Samples } from '../webhooks/webhooks.ts'

/** The samples of webhooks, from the slices that announce them. */
export const webhookSamples: Samples = {
  leads: sampleRecord,
  contacts: sampleRecord,
  customers: sampleRecord,
  catalogs: sampleRecord,
  task: sampleTask,
  unsorted: sampleIncomingLead,
  talk: sampleTalk,
  message: sampleMessage('in'),
  outgoing_message: sampleMessage('out'),
  chat_template_review: sampleTemplate,
  notes: sampleNote,
}
