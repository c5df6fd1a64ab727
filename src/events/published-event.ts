import { type TSchema, Type } from 'typebox'
import { changeSchemas } from './change-schemas.ts'
import { type ChangeName, type EventKind, eventTypes } from './event-types.ts'

/** A side on which nothing changed: always `[]`. */
const NoChange = Type.Array(Type.Object({}, { additionalProperties: false }), { maxItems: 0 })

const side = (name: ChangeName | undefined): TSchema => (name ? Type.Array(changeSchemas[name]) : NoChange)

const kinds = Object.entries(eventTypes).map(([type, kind]: [string, EventKind]) => ({ type, ...kind }))

/** One variant per pair of changes: `type` selects what `value_after` and `value_before` contain. */
const variants = [...Map.groupBy(kinds, ({ after, before }) => `${after}/${before}`).values()].map(
  (alike: (EventKind & { type: string })[]) =>
    Type.Object({
      type: Type.Enum(alike.map(({ type }) => type)),
      value_after: { ...side(alike[0]?.after), description: 'After the change. Empty if the type has none.' },
      value_before: {
        ...side(alike[0]?.before),
        description: 'Before the change. Empty if the type has none.',
      },
    }),
)

/** An event in the API description: a union that narrows by `type`. `members` are those that all types share. */
export const publishedEvent = (members: Record<string, TSchema>): TSchema =>
  Type.Unsafe({
    title: 'Event',
    allOf: [
      Type.Object(members, { title: 'EventBase' }),
      { oneOf: variants, description: 'The values before and after the change, by event type.' },
    ],
  })
