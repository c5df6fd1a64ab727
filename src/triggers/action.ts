import type { Permission } from '../integrations/registry/schemas.ts'
import type { Scene } from './scene.ts'

/** The members that a caller can set. Null stands for an entity that is made or chosen when it is not given. */
export type Value = string | number | null
/** Stands for a number that is chosen when it is not given. The list of triggers has null for it. */
export const CHOSEN: number = Number.NaN
export const isGiven = (number: number): boolean => !Number.isNaN(number)
export type Members = Readonly<Record<string, Value>>

/** A real action of the account: a few requests to the public API. */
export interface Action {
  /** The effect of the action, in a sentence. */
  summary: string
  /** The members that `set` can have, with their values when they are not given. */
  members: Members
  /** The permissions that the integration needs besides `crm`. */
  permissions: readonly Permission[]
  run(scene: Scene, set: Record<string, Value>): Promise<void>
}

/** The values of an action: those whose default is null are ids, or texts that `text` names. */
type Values<M extends Members> = {
  [Name in keyof M]: M[Name] extends null ? number | null : Widened<M[Name]>
}
type Widened<V> = V extends number ? number : V extends string ? string : never

/** A row of the table. `run` gets the values of its members with their types. */
export function action<const M extends Members>(
  summary: string,
  members: M,
  run: (scene: Scene, set: Values<M>) => Promise<unknown>,
  permissions: readonly Permission[] = [],
): Action {
  return {
    summary,
    members,
    permissions,
    run: async (scene, set) => {
      await run(scene, set as Values<M>)
    },
  }
}
