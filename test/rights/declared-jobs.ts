import type { Declarations, Declared } from './declaration.ts'

/** A job that does not exist. src/jobs/rights.test.ts tests the rights on jobs. */
const none = { params: { id: '4999999' } }
const hidden = (body?: unknown): Declared => ({
  answers: 404,
  asks: { ...none, ...(body !== undefined && { body }) },
})

export const declaredJobs: Declarations = {
  'GET /jobs': { paid: true, answers: 200, asks: {} },
  'GET /jobs/:id': { paid: true, ...hidden() },
  'POST /jobs/imports': {
    needs: { add: 'contacts' },
    answers: 200,
    asks: { query: 'entity_type=contacts&name=people.csv', body: 'Name\r\nSomebody {n}\r\n' },
  },
  'PATCH /jobs/:id': hidden({ mapping: [] }),
  'GET /jobs/:id/preview': { paid: true, ...hidden() },
  'GET /jobs/:id/failures': { paid: true, ...hidden() },
  'GET /jobs/:id/report': { paid: true, ...hidden() },
  // The rights on each record are checked when the job runs.
  'POST /jobs/bulk_changes': {
    needs: { edit: 'leads' },
    answers: 200,
    asks: { body: { entity_type: 'leads', search: 'query=nothing{n}', changes: { tags_to_add: ['a'] } } },
  },
  'POST /jobs/:id/start': hidden(),
  'POST /jobs/:id/cancel': hidden(),
  'POST /jobs/:id/undo': hidden(),
}
