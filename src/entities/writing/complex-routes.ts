import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type TSchema, Type } from 'typebox'
import type { Context } from '../../context.ts'
import { WrittenValues } from '../../custom-fields/custom-fields.ts'
import { AllTags, BATCH_BODY, drafts, patches, WrittenSource } from '../records/draft-schemas.ts'
import { addComplex, type ComplexDraft } from './complex.ts'
import type { RecordHooks } from './hooks.ts'
import { ComplexMetadata } from './incoming-schemas.ts'

/** The number of leads per call. */
const LEADS = { minItems: 1, maxItems: 50 }
/** At most forty fields of one record. */
const FewValues = Type.Optional(Type.Unsafe<WrittenValues>({ ...WrittenValues, maxItems: 40 }))

const { _embedded: _ofLead, ...leadMembers } = drafts.leads.properties
const { _embedded: ofContact, ...contactMembers } = patches.contacts.properties
const { _embedded: ofCompany, ...companyMembers } = patches.companies.properties

const RelatedDraft = (members: Record<string, TSchema>, embedded: TSchema) =>
  Type.Union([
    Type.Null(),
    Type.Array(
      Type.Object({
        id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
        ...members,
        custom_fields_values: FewValues,
        _embedded: embedded,
      }),
      { maxItems: 1, description: 'At most one. An `id` names one that exists.' },
    ),
  ])

const NewComplexLead = Type.Object({
  ...leadMembers,
  custom_fields_values: FewValues,
  _embedded: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        tags: Type.Optional(AllTags),
        contacts: Type.Optional(RelatedDraft(contactMembers, ofContact)),
        companies: Type.Optional(RelatedDraft(companyMembers, ofCompany)),
        source: WrittenSource,
        metadata: Type.Optional(
          Type.Union([Type.Null(), ComplexMetadata], {
            description: 'Makes it an incoming lead of a call or a form.',
          }),
        ),
      }),
    ]),
  ),
})

const Answer = Type.Array(
  Type.Object({
    id: Type.Integer(),
    contact_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The contact of the lead. Null: none.',
    }),
    company_id: Type.Union([Type.Integer(), Type.Null()]),
    request_id: Type.Array(Type.String(), { description: 'One: that of the item, or its index.' }),
    merged: Type.Boolean({ description: 'Always false: there is no duplicate control.' }),
  }),
)

const operations = {
  createComplex: {
    operationId: 'leads.create_complex',
    summary: 'Adds leads with one contact and one company each.',
    returns: 'The ids of the new records.',
    tags: ['Leads'],
    body: Type.Array(NewComplexLead, LEADS),
    response: { 200: Answer },
  },
}

/**
 * `POST /leads/complex`: leads with one contact and one company each. The response is a bare array
 * (docs/wire/records.md#leadscomplex).
 */
export function complexRoutes(ctx: Context, hooks: RecordHooks): FastifyPluginAsyncTypebox {
  return async (v4) => {
    v4.post('/leads/complex', { bodyLimit: BATCH_BODY, schema: operations.createComplex }, async (request) =>
      addComplex(ctx, request.actor, request.body as ComplexDraft[], hooks),
    )
  }
}
