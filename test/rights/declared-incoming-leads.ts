import type { Declarations } from './declaration.ts'

const named = { source_name: 'Named {n}', source_uid: 'uid {n}', metadata: {} }
/** Incoming leads are named by uids that cannot be guessed. */
const uid = '0'.repeat(60)

const nowhere = { source_id: '999999' }

const adding = {
  needs: { add: 'leads' },
  answers: 200,
  asks: { body: [named] },
  ids: [
    {
      at: '_embedded.contacts of an incoming lead',
      of: 'contacts',
      right: 'view',
      request: { body: [{ ...named, _embedded: { contacts: [{ id: '{id}' }] } }] },
    },
    {
      at: '_embedded.companies of an incoming lead',
      of: 'companies',
      right: 'view',
      request: { body: [{ ...named, _embedded: { companies: [{ id: '{id}' }] } }] },
    },
  ],
} as const satisfies Declarations[string]

/** An incoming lead has the rights of its lead. */
export const declaredIncomingLeads: Declarations = {
  'GET /leads/unsorted': { paid: true, answers: 200, asks: {} },
  'GET /leads/unsorted/summary': { paid: true, answers: 200, asks: {} },
  'GET /leads/unsorted/:uid': { paid: true, answers: 404, asks: { params: { uid } } },
  'POST /leads/unsorted/sip': structuredClone(adding) as Declarations[string],
  'POST /leads/unsorted/forms': structuredClone(adding) as Declarations[string],
  'POST /leads/unsorted/:uid/accept': { answers: 404, asks: { params: { uid }, body: {} } },
  'DELETE /leads/unsorted/:uid/decline': { answers: 404, asks: { params: { uid }, body: {} } },
  'GET /website_buttons': { needs: 'admin', answers: 204, asks: {} },
  'GET /website_buttons/:source_id': { needs: 'admin', answers: 404, asks: { params: nowhere } },
  'POST /website_buttons': {
    needs: 'admin',
    answers: 202,
    ids: [
      {
        at: 'pipeline_id',
        of: 'pipelines',
        request: { body: { pipeline_id: '{id}', trusted_websites: ['shop.example'] } },
      },
    ],
  },
  'PATCH /website_buttons/:source_id': {
    needs: 'admin',
    answers: 404,
    asks: { params: nowhere, body: { trusted_websites: { add: ['shop.example'] } } },
  },
  'POST /website_buttons/:source_id/online_chat': { needs: 'admin', answers: 404, asks: { params: nowhere } },
  'POST /leads/unsorted/:uid/link': {
    answers: 404,
    asks: { params: { uid }, body: { link: { entity_id: 1, entity_type: 'leads' } } },
  },
}
