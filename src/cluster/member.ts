import cluster from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import type { Context, Shared } from '../context.ts'
import { noteCommit, onCommit } from '../db/commits.ts'
import type { WriteLock } from '../db/write-lock.ts'
import { Refusal } from '../errors.ts'
import { type Channel, ChannelEnded, createChannel } from './channel.ts'
import { bells, type Message } from './messages.ts'
import { SharedLock } from './shared-lock.ts'
import { STOP_SIGNALS } from './stop-signals.ts'

/** Commits within this time are announced to the other processes once. A commit is complete shortly after its notice. */
const ANNOUNCE_MS = 10

/** The environment variable with the number of a server process, from 0. */
export const SLOT = 'PATCHBAY_PROCESS'

/** A server process as a part of a server with several (`WORKERS`). */
export interface Member {
  /** Whether it runs the queues and the upkeep, which one process does for all. */
  isLeader: boolean
  lock: WriteLock
  shared: Shared
  /** Joins its notifications of commits and of queued work with those of the others. */
  follow(ctx: Context): void
  /** Tells the primary that the server listens. */
  ready(address: string): void
  /** Calls the listener when the server must stop, with the reason. Signals of the system go to the primary. */
  onSignal(listener: (signal: string) => void): void
  /** Ends the connection to the primary, so that the process can end. */
  leave(): void
}

/** Connects this process, which the primary has started, with the others. */
export function joinCluster(clock: () => number): Member {
  const channel = createChannel((messages) => process.send?.(messages, undefined, undefined, () => {}))
  const lock = new SharedLock(channel, { clock })
  // Terminals and service managers signal all processes of a group. The primary decides when they stop.
  for (const signal of STOP_SIGNALS) process.on(signal, () => {})
  // Otherwise node:cluster ends the process at once when the connection ends.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  // A message to a primary that has just ended, such as that a connection was accepted. 'disconnect' follows.
  cluster.worker?.on('error', () => {})
  let stop = (_signal: string): void => process.exit(0)
  let isLeaving = false
  channel.on({ stop: ({ signal }) => stop(signal) })
  process.on('message', (messages: Message[]) => channel.receive(messages))
  process.on('disconnect', () => {
    channel.end()
    lock.goAlone()
    if (!isLeaving) stop('the primary process ended')
  })
  const isLeader = process.env[SLOT] === '0'
  return {
    isLeader,
    lock,
    shared: sharedBy(channel),
    follow: (ctx) => follow(channel, ctx, isLeader),
    ready: (address) => channel.send({ is: 'ready', address }),
    onSignal: (listener) => {
      stop = listener
    },
    leave: () => {
      isLeaving = true
      if (process.connected) process.disconnect?.()
    },
  }
}

function follow(channel: Channel, ctx: Context, isLeader: boolean): void {
  if (isLeader) channel.on({ ring: ({ bell }) => ctx[bell].ring() })
  else for (const bell of bells) ctx[bell].onRing(() => channel.send({ is: 'ring', bell }))
  channel.on({ commit: () => noteCommit('elsewhere') })
  let isDue = false
  onCommit((place) => {
    if (place === 'elsewhere' || isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      channel.send({ is: 'commit' })
    }, ANNOUNCE_MS).unref()
  })
  channel.handle({ figures: () => ctx.metrics.registry.getMetricsAsJSON() })
}

/** The buckets, places and metrics of all processes, through the primary. */
function sharedBy(channel: Channel): Shared {
  return {
    buckets: {
      take: (budgets) => orRefuse(channel.call('take', budgets)),
      giveBack: (budgets) => channel.send({ is: 'give_back', budgets }),
    },
    places: {
      async take(key, most) {
        const isTaken = await orRefuse(channel.call('enter', [key, most]))
        return isTaken ? () => channel.send({ is: 'leave', key }) : null
      },
    },
    readMetrics: async () => {
      const all = await orRefuse(channel.call('metrics', null))
      return AggregatorRegistry.aggregate(all).metrics()
    },
  }
}

/** Without the primary, nothing can be counted, and the server is about to stop. */
async function orRefuse<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ChannelEnded)) throw error
    throw new Refusal('unavailable', 'The server is stopping. Repeat the request.', { retry_after: 1 })
  }
}
