import { type Static, Type } from 'typebox'

/** The next steps of a bot. The limits are the platform's (docs/wire/bots.md#continuing). */
const Handler = Type.Object({
  handler: Type.Enum(['show', 'goto']),
  params: Type.Object({
    type: Type.Enum(['text', 'buttons', 'buttons_url', 'finish', 'question', 'answer']),
    value: Type.Optional(Type.String({ maxLength: 80, description: 'Required by `show`.' })),
    buttons: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), { maxItems: 25 })),
    step: Type.Optional(Type.Unknown()),
  }),
})
export type Handler = Static<typeof Handler>

export const ContinueBody = Type.Object({
  data: Type.Optional(Type.Unknown({ description: 'Accepted without effect: the bot has no variables.' })),
  execute_handlers: Type.Optional(Type.Array(Handler, { maxItems: 10 })),
})

export const ByContinue = Type.Object({
  bot_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  continue_id: Type.String({ maxLength: 64, description: 'The id of the unanswered message.' }),
})
