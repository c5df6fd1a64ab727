import type { Context } from '../../context.ts'
import { type CircuitStatus, findCircuits } from '../../outbound/circuit-breaker.ts'
import type { ownChannels } from '../scopes/channel-queries.ts'
import { botIdOf, circuitOf } from '../scopes/scopes.ts'
import { previousUntil } from './channel-keys.ts'
import type { Channel } from './channel-schemas.ts'

/** Channels as their developer account sees them, with the health of their callbacks. */
export async function shownChannels(
  ctx: Context,
  rows: Awaited<ReturnType<typeof ownChannels>>,
): Promise<Channel[]> {
  const circuits = await findCircuits(
    ctx.db,
    rows.map(({ id }) => circuitOf(id)),
  )
  return rows.map((row) => ({
    id: row.id,
    bot_id: botIdOf(row.id),
    name: row.name,
    callback_url: row.callback_url,
    integration_id: row.integration_id,
    protocol: row.protocol as Channel['protocol'],
    delivery: row.delivery as Channel['delivery'],
    state: row.state as Channel['state'],
    stop_reason: row.stop_reason as Channel['stop_reason'],
    stopped_at: row.stopped_at,
    previous_secret_until: previousUntil(ctx, row),
    health: healthOf(circuits.get(circuitOf(row.id)) as CircuitStatus),
    connections: row.connections ?? 0,
    is_connected: row.own_connected_at !== null,
    created_at: row.created_at,
    created_by: row.created_by,
    updated_at: row.updated_at,
    updated_by: row.updated_by,
  }))
}

const healthOf = (circuit: CircuitStatus): Channel['health'] => ({
  failures: circuit.failures,
  failing_since: circuit.failing_since,
  opens_at: circuit.next_probe_at,
  last_success_at: circuit.last_success_at,
  last_failure_at: circuit.last_failure_at,
  last_error: circuit.last_error,
  waiting: circuit.waiting,
})
