import { type TSchema, Type } from 'typebox'
import { Refusal } from '../errors.ts'
import type { Item } from './members.ts'
import { type Batch, MAX_ITEMS } from './requests.ts'

/** The bodies of the legacy API: `{"request":{"leads":{"add":[…],"update":[…]}}}`. */

/** The items of an action. Rules of v4 validate their members. */
export const Items = Type.Array(Type.Object({}, { additionalProperties: true }), { maxItems: MAX_ITEMS })

/** The body with these actions on `name`. The members of the items are those of `members`, which v4 validates. */
export const bodyOf = (name: string, actions: readonly string[]) =>
  Type.Object({
    request: Type.Object({
      [name]: Type.Object(Object.fromEntries(actions.map((action) => [action, Type.Optional(Items)]))),
    }),
  })

/** The items of each action. Throws Refusal('invalid') with the code `no_parameters` if there is none. */
export function batchesOf<Action extends string>(
  body: unknown,
  name: string,
  actions: readonly Action[],
): Record<Action, Batch> {
  const parts = (body as { request: Record<string, Record<string, Item[]>> }).request[name] ?? {}
  return batchesIn(parts, name, actions, `request.${name}.`)
}

/** The items of each action in an object, below the path `at`. Throws as `batchesOf`. */
export function batchesIn<Action extends string>(
  parts: Readonly<Record<string, readonly object[] | undefined>>,
  name: string,
  actions: readonly Action[],
  at = '',
): Record<Action, Batch> {
  if (actions.every((action) => (parts[action] ?? []).length === 0))
    throw new Refusal('invalid', `The request contains no ${actions.join(' and no ')} items of ${name}.`, {
      code: 'no_parameters',
    })
  return Object.fromEntries(
    actions.map((action) => [action, { at: `${at}${action}`, items: parts[action] ?? [] }]),
  ) as unknown as Record<Action, Batch>
}

/** A response: everything is inside `response`, with the server's time. */
export const answerOf = (members: Record<string, TSchema>) =>
  Type.Object({ response: Type.Object({ ...members, server_time: Type.Integer() }) })

export const Added = Type.Array(
  Type.Object({ id: Type.Integer(), request_id: Type.Union([Type.String(), Type.Integer()]) }),
)
export const Changed = Type.Array(Type.Object({ id: Type.Integer(), last_modified: Type.Integer() }))
