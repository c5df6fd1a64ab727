import type { FieldType } from '../../src/custom-fields/fields/field-types.ts'
import type { EventGroup, EventType, EventTypeWith, TimelineKind } from '../../src/events/event-types.ts'
import type { MistakeId } from '../../src/signatures/mistake-types.ts'
import type { WebhookCode } from '../../src/webhooks/webhook-types.ts'

/** The texts for the rows of the server's tables. A language without one of them does not compile. */
export interface TextsOfTables {
  events: {
    did: Record<EventType, string>
    client_did: Record<EventTypeWith<{ actor: 'client' }>, string>
    group: Record<EventGroup, string>
  }
  fields: { types: Record<FieldType, string>; hints: Record<FieldType, string> }
  signatures: { mistakes: Record<MistakeId, string> }
  timeline: { kind: Record<TimelineKind, string> }
  webhooks: { codes: Record<WebhookCode, string> }
}
