import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './db/database.ts'
import { createHosts, type Hosts } from './http/hosts.ts'
import { createMetrics, type Metrics } from './http/metrics.ts'
import { createLimiter, type Limiter } from './http/rate-limit.ts'
import type { Outbound } from './outbound/outbound.ts'
import { openVault, type Vault } from './secrets.ts'

/** What every rule may use. Built once by the program, and by each test for its own world. */
export interface Context {
  config: Config
  db: Db
  /** The clock, in Unix milliseconds. Nothing else in the program reads the time. */
  clock: () => number
  /** The clock in Unix seconds, as times are stored and sent. */
  now: () => number
  vault: Vault
  hosts: Hosts
  limits: Limiter
  outbound: Outbound
  log: Logger
  metrics: Metrics
  /** Rung after a commit that queued something to send, so that the worker need not wait for its next look. */
  queued: Bell
}

export interface ContextParts {
  config: Config
  db: Db
  clock: () => number
  masterKey: Buffer
  log: Logger
  outbound: Outbound
}

/** Puts a context together from what differs between the program and a test. */
export function createContext({ config, db, clock, masterKey, log, outbound }: ContextParts): Context {
  return {
    config,
    db,
    clock,
    now: () => Math.floor(clock() / 1000),
    vault: openVault(masterKey),
    hosts: createHosts(config),
    limits: createLimiter(clock, config.rate_limits),
    outbound,
    log,
    metrics: createMetrics(),
    queued: createBell(),
  }
}

export interface Bell {
  ring(): void
  onRing(listener: () => void): void
}

function createBell(): Bell {
  const listeners: (() => void)[] = []
  return {
    ring: () => {
      for (const listener of listeners) listener()
    },
    onRing: (listener) => {
      listeners.push(listener)
    },
  }
}
