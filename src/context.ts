import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { onCommit } from './db/commits.ts'
import type { Db, Tx } from './db/database.ts'
import type { AccountRow } from './db/tables.ts'
import { afterCommit } from './db/units.ts'
import type { FileStore } from './files/files.ts'
import { createHosts, type Hosts } from './http/hosts.ts'
import { createPlaces, type Places } from './http/limits/places.ts'
import { type Buckets, createBuckets, createLimiter, type Limiter } from './http/limits/rate-limit.ts'
import { createMetrics, type Metrics } from './http/metrics.ts'
import type { Outbound } from './outbound/http-client.ts'
import { createOpenContexts, type OpenContexts } from './tracing/open-contexts.ts'
import type { Telemetry } from './tracing/telemetry.ts'
import type { Traffic } from './traffic.ts'
import type { Vault } from './vault.ts'

/** Everything that rules can use. The program creates one, and each test creates one for its world. */
export interface Context {
  config: Config
  db: Db
  /** A replica of the database, which `readsFor` returns; null if there is none. */
  replica: Db | null
  /** The clock in Unix milliseconds. Nothing else in the program reads the time. */
  clock: () => number
  /** The clock in Unix seconds, as times are stored and sent. */
  now: () => number
  /** Monotonic milliseconds, which clock changes do not affect. In-memory durations use them. */
  monotonic: () => number
  vault: Vault
  hosts: Hosts
  limits: Limiter
  /** Limits on what a caller does at the same time. */
  places: Places
  outbound: Outbound
  /** Storage for content that is too large for a row. */
  files: FileStore
  log: Logger
  metrics: Metrics
  /** The text of `/metrics`, of all processes together. */
  readMetrics: () => Promise<string>
  /** Receives each request of the API and each attempt. */
  traffic: Traffic
  /** Traces of others that what is in progress continues. */
  traces: OpenContexts
  /** Exports spans; null if the operator has no collector. */
  telemetry: Telemetry | null
  /** Authenticates callers of `/test_helpers`; null if the server has no such address. */
  testHelpersKey: string | null
  seedDefaults: SeedDefaults
  leadsSorted: LeadsSorted
  leadsEntered: LeadsEntered
  actingIntegrations: ActingIntegrations
  /** Notified after a commit that queued a delivery, so that the worker need not wait for its next poll. */
  queued: Bell
  /** Notified after a commit that queued a job. */
  jobs_due: Bell
  /** Notified after a commit that queued a run of a rule. */
  rules_due: Bell
}

/**
 * Adds the defaults to a new account, in the transaction that creates it. Accounts are below the slices of these
 * defaults, so the program passes this in.
 */
export type SeedDefaults = (ctx: Context, tx: Tx, account: AccountRow) => Promise<void>

/**
 * Follows incoming leads in the transaction that changes them: they were accepted or declined, or wait with other data.
 * Records are below the slice of incoming leads, so the program passes this in.
 */
export type LeadsSorted = (
  ctx: Context,
  tx: Tx,
  by: { account_id: number; user_id: number; request_id: string },
  lead_ids: readonly number[],
  outcome: 'accepted' | 'declined' | 'changed',
) => Promise<void>

/**
 * Queues the runs of the rules of these stages, in the transaction that saves the leads. Records are below automation, so
 * the program passes this in.
 */
export type LeadsEntered = (
  ctx: Context,
  tx: Tx,
  by: EntryCause,
  entries: readonly StageEntry[],
) => Promise<void>

export interface EntryCause {
  account_id: number
  request_id: string
  /** See Actor. */
  chain?: readonly number[]
}

/** A lead that came into a stage. */
export interface StageEntry {
  lead_id: number
  pipeline_id: number
  status_id: number
  /** Its previous stage; null for a new lead. */
  from: { pipeline_id: number; status_id: number } | null
}

/** An integration as an account sees it: by its id in the account of its developer, elsewhere by its handle (A18). */
export interface ActingIntegration {
  id: string
  name: string
}

/**
 * The integrations that acted, which rows name by small numbers (Q33). Records and events are below the slice of
 * integrations, so the program passes this in.
 */
export interface ActingIntegrations {
  /** Those with these numbers, in one query; in none if all are null. */
  find(
    ctx: Context,
    account_id: number,
    numbers: Iterable<number | null>,
  ): Promise<ReadonlyMap<number, ActingIntegration>>
  /** Those that are or were installed in the account, by name: no other can have acted. */
  list(ctx: Context, account_id: number): Promise<ActingIntegration[]>
  /** The numbers of ids and handles. Those of no integration are left out. */
  numbersOf(ctx: Context, names: readonly string[]): Promise<number[]>
  /** Whether the one with this number is installed in the account and not disabled. */
  isActive(ctx: Context, account_id: number, number: number): Promise<boolean>
}

/** The buckets, places and metrics that the processes of one server share (`WORKERS`). */
export interface Shared {
  buckets: Buckets
  places: Places
  readMetrics: () => Promise<string>
}

export interface ContextParts {
  config: Config
  db: Db
  replica?: Db | null
  clock: () => number
  monotonic: () => number
  vault: Vault
  log: Logger
  outbound: Outbound
  files: FileStore
  traffic: Traffic
  telemetry?: Telemetry | null
  /** Replaces the key that is made from the master key. */
  testHelpersKey?: string | undefined
  seedDefaults: SeedDefaults
  leadsSorted: LeadsSorted
  leadsEntered: LeadsEntered
  actingIntegrations: ActingIntegrations
  /** If undefined, this process is the only one. */
  shared?: Shared | undefined
}

/** Creates a context from the parts that differ between the program and a test. */
export function createContext(parts: ContextParts): Context {
  const { config, db, clock, monotonic, vault, log, outbound, files, shared } = parts
  const metrics = createMetrics(monotonic)
  return {
    config,
    db,
    replica: parts.replica ?? null,
    clock,
    now: () => Math.floor(clock() / 1000),
    monotonic,
    vault,
    hosts: createHosts(config),
    limits: createLimiter(shared?.buckets ?? createBuckets(monotonic), config.rate_limits),
    places: shared?.places ?? createPlaces(),
    outbound,
    files,
    log,
    metrics,
    readMetrics: () => (shared ? shared.readMetrics() : metrics.registry.metrics()),
    traffic: parts.traffic,
    traces: createOpenContexts(),
    telemetry: parts.telemetry ?? null,
    testHelpersKey: config.test_helpers ? parts.testHelpersKey || testHelpersKeyOf(vault) : null,
    seedDefaults: parts.seedDefaults,
    leadsSorted: parts.leadsSorted,
    leadsEntered: parts.leadsEntered,
    actingIntegrations: parts.actingIntegrations,
    queued: createBell(),
    jobs_due: createBell(),
    rules_due: createBell(),
  }
}

/** The same at every start, so that scripts can keep it. */
const testHelpersKeyOf = (vault: Vault): string => `pbh_${vault.key('test helpers').toString('base64url')}`

export interface Bell {
  ring(): void
  /** Rings shortly after each commit of this server in the next seconds: the caller's transaction is still open. */
  ringAfterCommit(): void
  onRing(listener: () => void): void
}

/** The notification of a commit comes shortly before the commit is complete. The second ring is for a slow disk. */
const AFTER_COMMIT_MS = [25, 250]
/** Transactions are shorter. */
const LONGEST_TRANSACTION_MS = 5_000

function createBell(): Bell {
  const listeners: (() => void)[] = []
  const ring = () => {
    for (const listener of listeners) listener()
  }
  const waiting = new Set<number>()
  const ringSoon = () => {
    for (const delay of AFTER_COMMIT_MS) {
      if (waiting.has(delay)) continue
      waiting.add(delay)
      setTimeout(() => {
        waiting.delete(delay)
        ring()
      }, delay).unref()
    }
  }
  let stop: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined
  return {
    ring: () => afterCommit(ring),
    ringAfterCommit: () => {
      stop ??= onCommit(ringSoon)
      timer ??= setTimeout(() => {
        stop?.()
        stop = timer = undefined
      }, LONGEST_TRANSACTION_MS).unref()
      timer.refresh()
    },
    onRing: (listener) => {
      listeners.push(listener)
    },
  }
}
