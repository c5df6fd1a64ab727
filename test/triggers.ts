import type { Triggered } from '../src/triggers/schemas.ts'
import type { Answer } from './client.ts'
import { type Registered, register } from './integrations.ts'
import { helper } from './request-log.ts'
import { type World, world } from './world.ts'

export interface TriggerScene {
  here: World
  integration: Registered
  /** Asks for an action. */
  trigger(type: string, body?: object): Promise<Answer>
  /** Carries out an action. Throws if it is refused. */
  triggered(type: string, set?: object): Promise<Triggered>
}

/** An account with an integration that may do everything, and nothing else. */
export async function triggerScene(): Promise<TriggerScene> {
  const here = await world()
  const integration = await register(here.admin, { permissions: ['crm', 'chats', 'files'] })
  const trigger = (type: string, body: object = {}) =>
    helper(here).post('/test_helpers/trigger', { type, ...body })
  const triggered = async (type: string, set: object = {}): Promise<Triggered> => {
    const answer = await trigger(type, { set })
    if (answer.status !== 200) throw new Error(`${type}: ${answer.text}`)
    return answer.body
  }
  return { here, integration, trigger, triggered }
}
