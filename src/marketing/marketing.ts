/** The public API of the slice: short links, site visitors, surveys and audiences. */
export { moveAudienceMembers, removeAudienceMembers } from './audience-queries.ts'
export {
  escapeHtml,
  FRAMED_PAGE_HEADERS,
  framedPageHeaders,
  goneHtml,
  htmlPage,
  languageOf,
  PAGE_HEADERS,
  preferredLanguage,
} from './visitor-page.ts'
export { removeVisitorsOf } from './visitor-queries.ts'
export { bindVisitors, sweepVisits } from './visitors.ts'
