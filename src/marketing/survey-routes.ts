import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { cardTypes, entityTypes } from '../entities/records/entity-types.ts'
import { Self, self } from '../http/hal.ts'
import { baseOf } from '../http/queries/paging.ts'
import { addRate, inviteToRate, surveyUrl } from './surveys.ts'

const ById = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) })
const of = { entity_id: Type.Integer(), entity_type: Type.String(), account_id: Type.Integer() }
const Survey = Type.Object(
  { url: Type.String(), ...of, created_at: Type.Integer(), _links: Self },
  { title: 'Survey' },
)
/** The specification's limits of a rating. */
const Rate = Type.Integer({ minimum: 1, maximum: 10 })
const Rated = Type.Object(
  { ...of, rate: Type.Integer({ description: 'From 1 to 10.' }), _links: Self },
  { title: 'Rated' },
)

/** The operations on the surveys of one kind of record. */
const operationsOf = (one: string) => ({
  create: {
    operationId: `${one}.surveys.create`,
    summary: `Creates the address at which one ${one} can rate the account.`,
    returns: 'The address of the survey.',
    tags: ['Marketing'],
    params: ById,
    response: { 200: Survey },
  },
  npsCreate: {
    operationId: `${one}.nps.create`,
    summary: `Records a rate that one ${one} gave.`,
    returns: 'The rate.',
    tags: ['Marketing'],
    params: ById,
    body: Type.Object(
      { rate: Type.Integer({ ...Rate, description: 'From 1 to 10.' }) },
      { title: 'NewRate' },
    ),
    response: { 200: Rated },
  },
})

/** `/{kind}/{id}/surveys` and `/{kind}/{id}/nps`: ours (V8). `_links.self` is the rated record. */
export function surveyRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    for (const type of cardTypes) {
      const operations = operationsOf(entityTypes[type].singular)
      v4.post(`/${type}/:id/surveys`, { schema: operations.create }, async (request) => {
        const { actor } = request
        const survey = await inviteToRate(ctx, actor, type, request.params.id)
        return {
          url: surveyUrl(ctx, actor.subdomain, survey),
          entity_id: survey.entity_id,
          entity_type: survey.entity_type,
          account_id: survey.account_id,
          created_at: survey.created_at,
          _links: self(`${base(request)}/${type}/${survey.entity_id}`),
        }
      })
      v4.post(`/${type}/:id/nps`, { schema: operations.npsCreate }, async (request) => {
        const { actor, params, body } = request
        await addRate(ctx, actor, type, params.id, body.rate)
        return {
          entity_id: params.id,
          entity_type: type,
          account_id: actor.account_id,
          rate: body.rate,
          _links: self(`${base(request)}/${type}/${params.id}`),
        }
      })
    }
  }
}
