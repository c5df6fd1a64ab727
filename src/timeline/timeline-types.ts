import { type EventType, eventTypes } from '../events/event-types.ts'
import type { CardKinds } from '../events/events.ts'

/** The kinds of items in a timeline. */
export const timelineKinds = ['change', 'note', 'call', 'file', 'message', 'task'] as const
export type TimelineKind = (typeof timelineKinds)[number]

/** All event types that are not a `change` of the record. */
const others: { [Kind in Exclude<TimelineKind, 'change'>]: readonly EventType[] } = {
  note: [
    'common_note_added',
    'common_note_deleted',
    'geo_note_added',
    'service_note_added',
    'message_to_cashier_note_added',
  ],
  call: ['incoming_call', 'outgoing_call'],
  file: ['attachment_note_added'],
  message: [
    'incoming_chat_message',
    'outgoing_chat_message',
    'incoming_sms',
    'outgoing_sms',
    'robot_replied',
    'intent_identified',
  ],
  task: [
    'task_added',
    'task_deleted',
    'task_completed',
    'task_type_changed',
    'task_text_changed',
    'task_deadline_changed',
    'task_result_added',
  ],
}

const kinds = new Map(
  (Object.entries(others) as [TimelineKind, readonly EventType[]][]).flatMap(([kind, types]) =>
    types.map((type) => [type, kind] as const),
  ),
)

/** All events of tasks have the kind `task`. */
export const kindOf = (type: EventType, entity_type: string): TimelineKind =>
  entity_type === 'task' ? 'task' : (kinds.get(type) ?? 'change')

/** The query of the log for these kinds. */
export function eventsOfKinds(asked: readonly TimelineKind[]): CardKinds {
  const types = (Object.keys(eventTypes) as EventType[]).filter((type) =>
    asked.includes(kinds.get(type) ?? 'change'),
  )
  return { types: types.map((type) => eventTypes[type].number), tasks: asked.includes('task') }
}
