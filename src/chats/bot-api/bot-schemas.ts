import { type Static, Type } from 'typebox'
import { Name } from '../../accounts/members/schemas.ts'
import { CountedList, Paged } from '../../http/queries/paging.ts'

/** Records in one request. */
const MOST_RUNS = 100

export const functionalities = ['regular', 'greeting', 'marketing', 'nps'] as const

const members = {
  id: Type.Integer(),
  name: Type.String(),
  type_functionality: Type.Enum([...functionalities], { description: 'Always `regular`.' }),
  can_interrupt: Type.Boolean(),
  type: Type.Integer({ description: 'Always 2.' }),
  settings: Type.Object({
    silent: Type.Boolean({ description: 'Always false.' }),
    active: Type.Boolean({ description: 'Whether it has anything to say: an intent or a greeting.' }),
    is_sandbox: Type.Boolean(),
    is_broadcast_sandbox: Type.Boolean(),
    readonly: Type.Boolean({ description: 'Always false.' }),
  }),
  greeting: Type.String({ description: 'Sent when the bot is run. Not on the platform.' }),
}

/** The reply bot in the platform's form (docs/wire/bots.md#bots). */
export const Bot = Type.Object(
  { ...members, is_favorite: Type.Optional(Type.Boolean({ description: 'Only with `with=favorite`.' })) },
  { title: 'Bot' },
)
export type Bot = Static<typeof Bot>
export const OneBot = Type.Object({ ...members, is_visual_editor: Type.Boolean() }, { title: 'OneBot' })
export const BotPage = CountedList('items', Bot)
export const BotsQuery = Type.Object({ ...Paged.properties, filter: Type.Optional(Type.Unknown()) })

export const BotPatch = Type.Object({
  name: Type.Optional(Name(255)),
  greeting: Type.Optional(
    Type.String({ maxLength: 20_000, description: 'Sent when the bot is run; empty for nothing.' }),
  ),
})

/** A number, also as text: old clients send forms. */
const Numeric = Type.Union([
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  Type.String({ pattern: '^[1-9]\\d{0,14}$' }),
])
const entity = {
  entity_id: Numeric,
  entity_type: Type.Union([Type.Enum(['leads', 'contacts', 'customers']), Numeric], {
    description: '`leads`, `contacts` or `customers`, or their numbers 2, 1 and 12.',
  }),
}

export const BotTarget = Type.Object(entity)
export type BotTarget = Static<typeof BotTarget>
export const BotRun = Type.Object({ bot_id: Numeric, ...entity })
export type BotRun = Static<typeof BotRun>
export const BotRuns = Type.Array(BotRun, { minItems: 1, maxItems: MOST_RUNS })
/** One run, or several. */
export const LegacyRuns = Type.Union([BotRuns, BotRun])
