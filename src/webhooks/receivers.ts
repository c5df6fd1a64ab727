import type { Db } from '../db/database.ts'
import { selectWebhooks } from './queries.ts'

/** A webhook as a receiver of deliveries. */
export interface ReceivingWebhook {
  id: number
  destination: string
  integration_id: string | null
  is_disabled: boolean
}

/** The webhooks of an account, also disabled ones. */
export const receivingWebhooks = async (db: Db, account_id: number): Promise<ReceivingWebhook[]> =>
  (await selectWebhooks(db, account_id)).map(({ id, destination, integration_id, is_disabled }) => ({
    id,
    destination,
    integration_id,
    is_disabled: is_disabled === 1,
  }))
