import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '../context.ts'
import { linkRoutes } from '../drive/download-routes.ts'
import { driveRoutes } from '../drive/routes.ts'
import { notFoundHandler } from '../http/problems/problem.ts'
import { requireBearer } from './bearer.ts'
import { fileUses } from './file-uses.ts'

/**
 * `/drive`: the file service, at the account's `drive_url`. Requires bearer tokens with the permission `files`. Links
 * to files work without a token.
 */
export function driveSurface(ctx: Context): FastifyPluginAsync {
  return async (drive) => {
    drive.alikeBelow.push(`${drive.prefix}/`)
    await drive.register(linkRoutes(ctx))
    await drive.register(async (api) => {
      api.decorateRequest('actor')
      api.decorateRequest('renewActor')
      api.addHook('onRequest', requireBearer(ctx, 'files'))
      await api.register(driveRoutes(ctx, fileUses))
      // Without a token, callers must not learn which addresses exist.
      api.all('/*', notFoundHandler)
    })
  }
}
