import type pg from 'pg'

/**
 * When PostgreSQL plans a statement: once for all values, or at each run for the values of this run (PostgreSQL manual, 19.7.4,
 * `plan_cache_mode`).
 */
export type PlanMode = 'once' | 'each_run'

/**
 * A plan for all values must not read a whole table. It would be chosen for a table of a few hundred rows and a list of ten
 * elements, and compare each row with each element of a list of a thousand.
 */
const settings: Record<PlanMode, string[]> = {
  once: ['set plan_cache_mode = force_generic_plan', 'set enable_seqscan = off'],
  each_run: ['set plan_cache_mode = auto', 'set enable_seqscan = on'],
}
const DISCARD = 'discard plans'
/** Milliseconds after which plans are made again. The best one for a small table is not the best one after an import. */
const PLANS_MS = 10_000

/** All commands. Sent in this order, they leave a new connection as it was. */
export const planCommands = [DISCARD, ...settings.once, ...settings.each_run]

/** Prepares the commands on a new connection, so that they can be sent with other statements. */
export async function preparePlanCommands(client: pg.ClientBase): Promise<void> {
  for (const command of planCommands) await client.query(command)
}

/**
 * How the statements of a connection are planned. Planning a look-up by key takes longer than the look-up. PostgreSQL's own
 * choice would plan most of them at each run, because it expects ten elements in a list that it does not know.
 */
export class ConnectionPlans {
  /** Undefined after an error or a rollback, which can undo the settings. */
  #mode: PlanMode | undefined = 'each_run'
  #planned_at = performance.now()

  /** The commands that the server needs before the next statement. */
  commandsFor(mode: PlanMode): string[] {
    const commands: string[] = []
    const now = performance.now()
    if (mode === 'once' && now - this.#planned_at > PLANS_MS) {
      this.#planned_at = now
      commands.push(DISCARD)
    }
    if (mode !== this.#mode) commands.push(...settings[mode])
    this.#mode = mode
    return commands
  }

  forgetMode(): void {
    this.#mode = undefined
  }
}
