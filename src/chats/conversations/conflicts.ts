import { isLockConflict, isUniqueViolation } from '../../db/failures.ts'
import { StageDeleted } from '../../entities/entities.ts'

const MOST_TRIES = 3

/** Another transaction changed the conversation while this one waited for its lock. */
export class ConversationChanged extends Error {
  constructor() {
    super('the conversation was changed by another transaction')
    this.name = 'ConversationChanged'
  }
}

/**
 * Runs a transaction again after a conflict with another one. Two concurrent pushes can collide on a unique key or
 * deadlock; the second attempt sees the rows that the first one wrote. Closing a channel collides with a message that is
 * written meanwhile (pending-messages.ts). A new lead needs another stage if its own was deleted meanwhile.
 */
export async function retryOnConflict<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (error) {
      if (tries === MOST_TRIES || !isConflict(error)) throw error
    }
  }
}

const isConflict = (error: unknown): boolean =>
  error instanceof ConversationChanged ||
  error instanceof StageDeleted ||
  isUniqueViolation(error) ||
  isLockConflict(error)
