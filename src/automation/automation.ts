/** The public API of the slice: rules of the stages of pipelines, and the runner that carries them out. */
export { leadsEntered } from './entries.ts'
export { callingRules } from './rule-queries.ts'
export { removeRulesOf } from './rules.ts'
export { createAutomation } from './runner.ts'
export { automationUpkeep } from './upkeep.ts'
export { automationDeliveries } from './url-call.ts'
