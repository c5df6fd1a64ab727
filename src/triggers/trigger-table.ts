import type { EventType } from '../events/event-types.ts'
import type { WebhookCode } from '../webhooks/webhook-types.ts'
import { type Action, action } from './action.ts'
import { chatCodeActions, chatDeliveryActions, chatEventActions } from './chat-actions.ts'
import { incomingActions, marketingActions } from './marketing-actions.ts'
import { noteActions, notedOn } from './note-actions.ts'
import { added, deleted, linked, reassigned, renamed, restored, unlinked } from './record-actions.ts'
import { elementAdded, elementChanged, elementDeleted, leadMoved, saleActions } from './sale-actions.ts'
import { taskActions, taskAdded, taskDeleted, taskReassigned, taskText } from './task-actions.ts'

/** The action that records each type of event. */
const byEvent: Record<EventType, Action> = {
  lead_added: added('lead'),
  lead_deleted: deleted('lead'),
  lead_restored: restored('lead'),
  lead_linked: linked('lead'),
  lead_unlinked: unlinked('lead'),
  contact_added: added('contact'),
  contact_deleted: deleted('contact'),
  contact_restored: restored('contact'),
  contact_linked: linked('contact'),
  contact_unlinked: unlinked('contact'),
  company_added: added('company'),
  company_deleted: deleted('company'),
  company_restored: restored('company'),
  company_linked: linked('company'),
  company_unlinked: unlinked('company'),
  customer_added: added('customer'),
  customer_deleted: deleted('customer'),
  customer_linked: linked('customer'),
  customer_unlinked: unlinked('customer'),
  ...saleActions,
  ...taskActions,
  ...noteActions,
  ...chatEventActions,
  ...marketingActions,
}

/** The action that announces each code. */
const byCode: Record<WebhookCode, Action> = {
  add_lead: added('lead'),
  update_lead: renamed('lead'),
  status_lead: leadMoved,
  responsible_lead: reassigned('lead'),
  delete_lead: deleted('lead'),
  restore_lead: restored('lead'),
  note_lead: notedOn('lead'),
  add_contact: added('contact'),
  update_contact: renamed('contact'),
  responsible_contact: reassigned('contact'),
  delete_contact: deleted('contact'),
  restore_contact: restored('contact'),
  note_contact: notedOn('contact'),
  add_company: added('company'),
  update_company: renamed('company'),
  responsible_company: reassigned('company'),
  delete_company: deleted('company'),
  restore_company: restored('company'),
  note_company: notedOn('company'),
  add_customer: added('customer'),
  update_customer: renamed('customer'),
  responsible_customer: reassigned('customer'),
  delete_customer: deleted('customer'),
  note_customer: notedOn('customer'),
  add_task: taskAdded,
  update_task: taskText,
  responsible_task: taskReassigned,
  delete_task: taskDeleted,
  add_catalog_element: elementAdded,
  update_catalog_element: elementChanged,
  delete_catalog_element: elementDeleted,
  ...incomingActions,
  ...chatCodeActions,
}

const disabled = action(
  'Disables an integration, which gets its disable hook. Without one, a new integration is made and disabled.',
  { integration: '', url: 'http://localhost:3000/disabled' },
  (scene, { integration, url }) => scene.disable(integration || null, url),
)

/** Deliveries that the queue sends besides webhooks, by kind. */
const byDelivery = { ...chatDeliveryActions, disable_hook: disabled } satisfies Record<string, Action>
const deliveryKinds: Record<keyof typeof byDelivery, string> = {
  chat_callback: 'chat_message',
  chat_reaction: 'chat_action',
  disable_hook: 'disable_hook',
}

/** The events that changes record. An action of another code adds or deletes something, so it always has an effect. */
const eventsOfChanges: Partial<Record<WebhookCode, EventType>> = {
  update_lead: 'name_field_changed',
  update_contact: 'name_field_changed',
  update_company: 'name_field_changed',
  update_customer: 'name_field_changed',
  update_task: 'task_text_changed',
  update_catalog_element: 'name_field_changed',
  status_lead: 'lead_status_changed',
  responsible_lead: 'entity_responsible_changed',
  responsible_contact: 'entity_responsible_changed',
  responsible_company: 'entity_responsible_changed',
  responsible_customer: 'entity_responsible_changed',
  responsible_task: 'entity_responsible_changed',
}

/** The event or the kind of delivery that shows the effect of an action. A code needs no subscribed webhook. */
export type Sort =
  | { sort: 'event'; event: EventType }
  | { sort: 'webhook'; event: EventType | undefined }
  | { sort: 'delivery'; kind: string }

export type Trigger = Action & Sort

const rows = <Name extends string>(actions: Record<Name, Action>, sortOf: (name: Name) => Sort) =>
  Object.entries<Action>(actions).map(([name, one]): [string, Trigger] => [
    name,
    { ...one, ...sortOf(name as Name) },
  ])

/** Everything that can be triggered, by its name: types of events, codes of webhooks, and other deliveries. */
export const triggers: ReadonlyMap<string, Trigger> = new Map([
  ...rows(byEvent, (event) => ({ sort: 'event', event })),
  ...rows(byCode, (code) => ({ sort: 'webhook', event: eventsOfChanges[code] })),
  ...rows(byDelivery, (name) => ({ sort: 'delivery', kind: deliveryKinds[name] })),
])
