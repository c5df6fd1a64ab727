/** The public API of the slice: rules of the stages of pipelines, and the runner that carries them out. */
export { leadsEntered } from './entries.ts'
export { nameOfRun, runNamed } from './robot.ts'
export { callingRules } from './rule-queries.ts'
export { removeRulesOf } from './rules.ts'
export { findRun, runsCausedIn } from './run-queries.ts'
export { createAutomation } from './runner.ts'
export { automationUpkeep } from './upkeep.ts'
export { automationDeliveries, callsOfRuns } from './url-call.ts'
