import { jobStates, reportedOutcomes } from '../../jobs/schemas.ts'
import type { OperationsMetadata } from './metadata.ts'
import { choices } from './query-parameters.ts'

const WHOSE = 'A job is seen by who began it and by administrators.'

export const toldOfJobs: OperationsMetadata = {
  'GET /jobs': {
    summary: 'List imports and bulk changes.',
    description: `The newest first. ${WHOSE}`,
    query: choices('state', [...jobStates]),
  },
  'GET /jobs/{id}': { summary: 'Read an import or a bulk change.', description: WHOSE },
  'POST /jobs/imports': {
    summary: 'Begin an import.',
    description:
      'The body is a CSV file of 20 MiB, 50,000 rows and 250 columns at most, whose first row names the columns. ' +
      'Encoding (UTF-8, UTF-16, windows-1251, windows-1252) and delimiter are found out. The answer is a draft with ' +
      'the first rows and a proposed mapping; nothing is written before it is started.',
    body: { 'text/csv': { type: 'string', format: 'binary' } },
  },
  'PATCH /jobs/{id}': {
    summary: 'Set up an import.',
    description: 'Which column is written into what, and what is done with records that are there already.',
  },
  'GET /jobs/{id}/preview': {
    summary: 'Preview an import.',
    description:
      'The first rows as they would be written, with what is wrong with each; `limit` says how many. Nothing is kept.',
  },
  'GET /jobs/{id}/failures': {
    summary: 'List the rows that were refused.',
    description:
      'With `format=csv` as a file with a column that says why: mended, it can be imported again. After an undoing also ' +
      'the rows that could not be undone.',
    answers: { 200: { exports: { 'text/csv': 'The refused rows, as they came.' } } },
  },
  'GET /jobs/{id}/report': {
    summary: 'List the rows that were skipped, refused, or written with a warning.',
    description:
      'Each with its reasons. A warning is a telephone number or an e-mail address that was stored as it was written and ' +
      'looks like none. With `format=csv` as a file with a line for each reason.',
    query: choices('outcome', [...reportedOutcomes]),
    answers: {
      200: { exports: { 'text/csv': 'A line for each reason: row, result, record, column, value, reason.' } },
    },
  },
  'POST /jobs/bulk_changes': {
    summary: 'Change many records.',
    description:
      'Stage, responsible user, tags, or into the trash: of the records named by `ids`, or of all that `search` (a query ' +
      'as the list takes it) finds now, 50,000 at most. It is begun at once.',
  },
  'POST /jobs/{id}/start': {
    summary: 'Start an import.',
    description: 'It is done in batches; the rights of who started it are asked again for each.',
  },
  'POST /jobs/{id}/cancel': {
    summary: 'Cancel an import or a bulk change.',
    description: 'It ends where it is. What is done stays done, and can be undone.',
  },
  'POST /jobs/{id}/undo': {
    summary: 'Undo an import or a bulk change.',
    description:
      'What was added goes to the trash, what was deleted comes out of it, and what was changed gets its values back ' +
      'where nobody changed these since. Possible for 30 days.',
  },
}
