import { type EventType, eventTypes } from '../events/event-types.ts'
import type { CardKinds } from '../events/events.ts'

/** What a reader of a timeline tells apart. */
export const timelineKinds = ['change', 'note', 'call', 'file', 'message', 'task'] as const
export type TimelineKind = (typeof timelineKinds)[number]

/** What is no change of the record itself; everything else is one. */
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

/** What happened to a task is about the task, whatever it was. */
export const kindOf = (type: EventType, entity_type: string): TimelineKind =>
  entity_type === 'task' ? 'task' : (kinds.get(type) ?? 'change')

/** The events of these kinds, as the log is asked for them. */
export function eventsOfKinds(asked: readonly TimelineKind[]): CardKinds {
  const types = (Object.keys(eventTypes) as EventType[]).filter((type) =>
    asked.includes(kinds.get(type) ?? 'change'),
  )
  return { types: types.map((type) => eventTypes[type].number), tasks: asked.includes('task') }
}
