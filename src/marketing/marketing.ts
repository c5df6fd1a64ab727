/** The public API of the slice: what is known of people who have no name here, by links, pages, surveys and audiences. */
export { moveAudienceMembers } from './audience-queries.ts'
export { bindVisitors, sweepVisits } from './visitors.ts'
