import type { Db } from '../../db/database.ts'
import type { DeliveryAttemptRow, DeliveryRow } from '../../db/tables.ts'
import { notFound } from '../../entities/entities.ts'
import { findDeliveries, listAttempts } from '../../outbound/deliveries.ts'
import { type ChatReader, visibleChat } from '../conversations/chat-rights.ts'
import { findMessage } from '../messages/message-queries.ts'
import { CHAT_MESSAGE } from '../messages/send.ts'

/**
 * The attempts to deliver a message of a chat that the user may see, first one first. They are stored for 30 days.
 */
export async function attemptsOf(
  db: Db,
  reader: ChatReader,
  chat_id: string,
  message_id: string,
): Promise<(Omit<DeliveryAttemptRow, 'delivery_id'> & Pick<DeliveryRow, 'request_id'>)[]> {
  const { account_id, id } = await visibleChat(db, reader, chat_id)
  const message = await findMessage(db, account_id, message_id)
  if (message?.conversation_id !== id) throw notFound()
  const tries: Awaited<ReturnType<typeof attemptsOf>> = []
  // A message has a second delivery if the first one could not be sent again.
  for (const { id: delivery_id, request_id } of await findDeliveries(db, account_id, CHAT_MESSAGE, [
    message_id,
  ]))
    for (const { delivery_id: _, ...attempt } of await listAttempts(db, account_id, delivery_id))
      tries.push({ ...attempt, request_id })
  return tries
}
