/** The public API of the slice: what integrations asked, what the server answered, and what it sent. */
export { requestLogOf } from './list.ts'
export { observedOutbound } from './observed-outbound.ts'
export { isPlainSchema } from './plain-schemas.ts'
export { RequestLog } from './recorder.ts'
export { RULES_AT, rulesAsHtml } from './rules.ts'
export { type Filter, type Found, searchRequests, WHOLE } from './search.ts'
export { tokenUses } from './token-uses.ts'
export { requestLogUpkeep } from './upkeep.ts'
