/** The public API of the slice: short links, site visitors, surveys and audiences. */
export { moveAudienceMembers } from './audience-queries.ts'
export { bindVisitors, sweepVisits } from './visitors.ts'
