import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ByFormId, NewSiteForm, SiteForm, SiteFormList, SiteFormPatch } from './form-schemas.ts'
import { addForm, changeForm, listForms, readForm, removeForm } from './forms.ts'

/** `/web/forms`: the forms that a company puts on its sites, for administrators. */
export function formSettingsRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get('/forms', { schema: { response: { 200: SiteFormList } } }, async ({ actor }) => ({
      forms: await listForms(ctx, actor),
    }))
    web.post(
      '/forms',
      { schema: { repeats: true, body: NewSiteForm, response: { 201: SiteForm } } },
      async ({ actor, body }, reply) => reply.code(201).send(await addForm(ctx, actor, body)),
    )
    web.get(
      '/forms/:id',
      { schema: { params: ByFormId, response: { 200: SiteForm } } },
      ({ actor, params }) => readForm(ctx, actor, params.id),
    )
    web.patch(
      '/forms/:id',
      { schema: { params: ByFormId, body: SiteFormPatch, response: { 200: SiteForm } } },
      ({ actor, params, body }) => changeForm(ctx, actor, params.id, body),
    )
    web.delete('/forms/:id', { schema: { params: ByFormId } }, async ({ actor, params }, reply) => {
      await removeForm(ctx, actor, params.id)
      return reply.code(204).send()
    })
  }
}
