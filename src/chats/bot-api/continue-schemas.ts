import { type Static, Type } from 'typebox'

/** The next steps of a bot. The limits are the platform's (docs/wire/bots.md#continuing). */
const Handler = Type.Object({
  handler: Type.Enum(['show', 'goto'], { description: '`show` sends a message, `goto` ends the list.' }),
  params: Type.Object({
    type: Type.Enum(['text', 'buttons', 'buttons_url', 'finish', 'question', 'answer'], {
      description:
        'Of `show`: `text`, `buttons` or `buttons_url`. Of `goto`: `finish`; the others are refused, because the bot has no steps.',
    }),
    value: Type.Optional(Type.String({ maxLength: 80, description: 'Required by `show`.' })),
    buttons: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
        maxItems: 25,
        description: 'Each is sent as a line of the text, because channels have no buttons.',
      }),
    ),
    step: Type.Optional(Type.Unknown({ description: 'Of a bot with steps; not read.' })),
  }),
})
export type Handler = Static<typeof Handler>

export const ContinueBody = Type.Object({
  data: Type.Optional(Type.Unknown({ description: 'Accepted without effect: the bot has no variables.' })),
  execute_handlers: Type.Optional(
    Type.Array(Handler, { maxItems: 10, description: 'What the bot does, in this order.' }),
  ),
})

export const ByContinue = Type.Object({
  bot_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  continue_id: Type.String({ maxLength: 64, description: 'The id of the unanswered message.' }),
})
