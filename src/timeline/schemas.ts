import { type Static, type TSchema, Type } from 'typebox'
import { ChatMessage } from '../chats/messages/message-schemas.ts'
import { timelineKinds } from '../events/event-types.ts'
import { Event } from '../events/schemas.ts'
import { Note } from '../notes/schemas.ts'
import { Task } from '../tasks/schemas.ts'

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const ById = Type.Object({ id: Id })
export const ByElement = Type.Object({ catalog_id: Id, id: Id })

export const TimelineQuery = Type.Object({
  filter: Type.Optional(Type.Unknown()),
  with: Type.Optional(Type.Unknown()),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  next: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Za-z]{26}$',
      description: 'The page begins before this id: taken from `_links.next`.',
    }),
  ),
})
export type TimelineQuery = Static<typeof TimelineQuery>

/** One line of a card's timeline. */
export const TimelineItem = Type.Object(
  {
    id: Type.String({ description: 'The id of the event.' }),
    kind: Type.Enum([...timelineKinds], { description: 'How the application shows the line.' }),
    event: Event,
    note: orNull(Note, 'The note of the event. Null: none that the person sees.'),
    message: orNull(ChatMessage, 'The message of the event. Null: none that the person sees.'),
    task: orNull(Task, 'The task of the event. Null: none that the person sees.'),
  },
  { title: 'TimelineItem' },
)
export type TimelineItem = Static<typeof TimelineItem>

const Href = Type.Object({ href: Type.String() })
export const Timeline = Type.Object({
  _links: Type.Object({ self: Href, next: Type.Optional(Href) }),
  _embedded: Type.Object({ items: Type.Array(TimelineItem) }),
})
