/** The public API of the slice: short links, site visitors, surveys and audiences. */
export { moveAudienceMembers } from './audience-queries.ts'
export {
  escapeHtml,
  FRAMED_PAGE_HEADERS,
  framedPageHeaders,
  goneHtml,
  htmlPage,
  languageOf,
  PAGE_HEADERS,
} from './visitor-page.ts'
export { bindVisitors, sweepVisits } from './visitors.ts'
